package io.dynims.experiments.bench.tier;

import java.util.Locale;

/** What happens to a tier while it is used. */
enum StudyState {
  /** Its data is there, and its capacity stays. */
  Rest(false),
  /** As at rest, but its data is not there yet. */
  Cold(false),
  /** As at rest, for as long as the next two. */
  Undisturbed(true),
  /** Its capacity goes down to a half within a second. */
  Halved(true),
  /** Its capacity goes down to a half and up again all the time, a cycle in two seconds. */
  Swinging(true);

  private final boolean lasting;

  StudyState(boolean lasting) {
    this.lasting = lasting;
  }

  /** Whether it is measured for a time, instead of for a number of operations. */
  boolean isLasting() {
    return lasting;
  }

  /** In ids. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }
}
