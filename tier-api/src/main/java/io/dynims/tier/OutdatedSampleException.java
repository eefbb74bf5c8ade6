package io.dynims.tier;

/** The sample behind a request is older than the last one applied. */
public final class OutdatedSampleException extends Exception {

  private static final long serialVersionUID = 1L;

  OutdatedSampleException(long sampledMillis, long appliedSampledMillis) {
    super(
        "sampledMillis: "
            + sampledMillis
            + " is older than the last one applied, "
            + appliedSampledMillis);
  }
}
