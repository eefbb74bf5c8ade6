package io.dynims.cli.check;

/** An adapter does not do what the contract asks for; the message says what it did. */
final class CheckFailedException extends Exception {

  private static final long serialVersionUID = 1L;

  CheckFailedException(String message) {
    super(message);
  }

  /** Throws one unless a condition holds. */
  static void require(boolean condition, String message) throws CheckFailedException {
    if (!condition) {
      throw new CheckFailedException(message);
    }
  }
}
