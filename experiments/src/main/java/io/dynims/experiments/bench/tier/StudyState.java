package io.dynims.experiments.bench.tier;

import io.dynims.core.law.LawType;
import java.util.Locale;
import java.util.Optional;

/** What happens to a tier while it is used. */
enum StudyState {
  /** Its data is there, and its capacity stays. */
  Rest("at rest", false, null),
  /** As at rest, but its data is not there yet. */
  Cold("cold", false, null),
  /** As at rest, for as long as the ones below. */
  Undisturbed("undisturbed", true, null),
  /** The benchmark pushes its capacity down to a half within a second. */
  Halved("halved", true, null),
  /** The benchmark pushes its capacity down to a half and up again, a cycle in two seconds. */
  Swinging("swings", true, null),
  /** The loop runs by the default law, and no job changes its memory. */
  CalmForecast("loop, calm", true, LawType.Forecast),
  /** The loop runs by equation 1, and no job changes its memory. */
  CalmFeedback("eq. 1, calm", true, LawType.Feedback),
  /** The loop runs by the default law beside a burst that halves the tier. */
  BurstForecast("loop, burst", true, LawType.Forecast),
  /** The loop runs by equation 1 beside a burst that halves the tier. */
  BurstFeedback("eq. 1, burst", true, LawType.Feedback);

  private final String label;
  private final boolean lasting;
  private final LawType law;

  StudyState(String label, boolean lasting, LawType law) {
    this.label = label;
    this.lasting = lasting;
    this.law = law;
  }

  /** Whether it is measured for a time, instead of for a number of operations. */
  boolean isLasting() {
    return lasting;
  }

  /** The law of the loop; empty if no loop runs. */
  Optional<LawType> law() {
    return Optional.ofNullable(law);
  }

  /** Whether a job takes half of the tier's memory meanwhile. */
  boolean isBurst() {
    return this == BurstForecast || this == BurstFeedback;
  }

  /** Whether the tier loses data meanwhile, which has to be loaded again. */
  boolean evicts() {
    return isBurst() || this == Halved || this == Swinging;
  }

  /** In tables. */
  String label() {
    return label;
  }

  /** In ids. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
