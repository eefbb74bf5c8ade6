package io.dynims.cli.simulate;

/** A policy or a trace that cannot be used; the message says where and why, a line each. */
public final class InputException extends Exception {

  private static final long serialVersionUID = 1L;

  InputException(String message) {
    super(message);
  }

  InputException(String message, Throwable cause) {
    super(message, cause);
  }
}
