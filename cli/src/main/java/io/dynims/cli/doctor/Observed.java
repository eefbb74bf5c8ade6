package io.dynims.cli.doctor;

import java.util.function.Function;

/**
 * What was seen of a part, or why it was not.
 *
 * @param value null if nothing was seen
 * @param why why nothing was seen; empty if something was
 * @param failed whether it was looked for and did not show itself
 */
record Observed<T>(T value, String why, boolean failed) {

  static <T> Observed<T> of(T value) {
    return new Observed<>(value, "", false);
  }

  /** Nobody said where it is. */
  static <T> Observed<T> notAsked(String why) {
    return new Observed<>(null, why, false);
  }

  static <T> Observed<T> failed(String why) {
    return new Observed<>(null, why, true);
  }

  boolean isPresent() {
    return value != null;
  }

  /** Diagnoses what was seen; skipped if nothing was. */
  Diagnosis diagnose(Function<T, Diagnosis> check) {
    return isPresent() ? check.apply(value) : Diagnosis.skipped(why);
  }

  /** Whether it shows itself at all. */
  Diagnosis presence(Function<T, Diagnosis> check, String remedy) {
    return failed ? Diagnosis.error(why, remedy) : diagnose(check);
  }
}
