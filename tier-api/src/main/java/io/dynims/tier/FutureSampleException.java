package io.dynims.tier;

/** The sample behind a request is newer than the node's clock. */
public final class FutureSampleException extends Exception {

  private static final long serialVersionUID = 1L;

  FutureSampleException(long sampledMillis, long nowMillis) {
    super("sampledMillis: " + sampledMillis + " is in the future; it is " + nowMillis + " now");
  }
}
