package io.dynims.tier;

/** A request rests on a sample older than the one already applied. */
final class OutdatedSampleException extends Exception {

  private static final long serialVersionUID = 1L;

  OutdatedSampleException(long sampledMillis, long appliedSampledMillis) {
    super(
        "sampledMillis: "
            + sampledMillis
            + " is older than the last one applied, "
            + appliedSampledMillis);
  }
}
