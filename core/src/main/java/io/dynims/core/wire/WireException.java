package io.dynims.core.wire;

/** A message that cannot be decoded; the text names the field and what is wrong with it. */
public final class WireException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String field;

  /**
   * A message that cannot be used.
   *
   * @param field the field at fault, or an empty text when the message as a whole is
   * @param message names the field and what is wrong with it
   * @param cause may be null
   */
  public WireException(String field, String message, Throwable cause) {
    super(message, cause);
    this.field = field;
  }

  /** The field at fault, or an empty text when the message as a whole is. */
  public String field() {
    return field;
  }
}
