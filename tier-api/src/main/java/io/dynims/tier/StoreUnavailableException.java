package io.dynims.tier;

/** The store behind a tier is away; the message says which and why. */
public final class StoreUnavailableException extends Exception {

  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
