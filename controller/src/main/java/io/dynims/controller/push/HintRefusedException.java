package io.dynims.controller.push;

/** An adapter does not take a hint, and says why. */
public final class HintRefusedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final String field;

  HintRefusedException(int status, String detail, String field) {
    super(detail);
    this.status = status;
    this.field = field;
  }

  /** The HTTP status of its answer. */
  public int status() {
    return status;
  }

  /** The invalid field, or null. */
  public String field() {
    return field;
  }
}
