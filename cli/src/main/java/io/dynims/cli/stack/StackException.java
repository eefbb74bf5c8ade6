package io.dynims.cli.stack;

/** Something that the user has to know and can act on; the message is all that is shown. */
public class StackException extends Exception {
  private static final long serialVersionUID = 1L;

  public StackException(String message) {
    super(message);
  }

  public StackException(String message, Throwable cause) {
    super(message, cause);
  }
}
