package io.dynims.cli.check;

/** A check cannot be made; the message says why. */
final class CheckSkippedException extends Exception {

  private static final long serialVersionUID = 1L;

  CheckSkippedException(String message) {
    super(message);
  }

  /** Throws one if a condition holds. */
  static void skipIf(boolean condition, String message) throws CheckSkippedException {
    if (condition) {
      throw new CheckSkippedException(message);
    }
  }
}
