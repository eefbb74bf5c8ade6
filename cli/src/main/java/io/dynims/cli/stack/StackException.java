package io.dynims.cli.stack;

/** A problem that the user can act on; only the message is shown. */
public class StackException extends Exception {
  private static final long serialVersionUID = 1L;

  public StackException(String message) {
    super(message);
  }

  public StackException(String message, Throwable cause) {
    super(message, cause);
  }
}
