package io.dynims.tier;

/** The store behind a tier is unavailable; the message says which one and why. */
public final class StoreUnavailableException extends Exception {

  private static final long serialVersionUID = 1L;

  public StoreUnavailableException(String message, Throwable cause) {
    super(message, cause);
  }
}
