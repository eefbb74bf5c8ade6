package io.dynims.tier;

import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.WireException;

/**
 * The decoded answer of a Tier API.
 *
 * @param status how the request ended
 * @param tier the state after the request; null if and only if {@code status} is {@code Failed}
 * @param message why the status is not {@code Applied}; empty otherwise
 */
public record TierReply(AckStatus status, TierStatus tier, String message) {

  /**
   * Checks that only a failed reply lacks the tier's state.
   *
   * @throws IllegalArgumentException naming the field
   */
  public TierReply {
    if ((status == AckStatus.Failed) != (tier == null)) {
      throw new IllegalArgumentException("tier: " + tier + " in a reply that is " + status);
    }
  }

  /** Decodes an answer of any HTTP status; an invalid body makes the reply {@code Failed}. */
  public static TierReply read(int httpStatus, byte[] body) {
    try {
      return switch (httpStatus) {
        case 200 -> new TierReply(AckStatus.Applied, TierApi.STATUS.decode(body), "");
        case 202 -> partial(TierApi.STATUS.decode(body));
        default -> problem(httpStatus, body);
      };
    } catch (WireException e) {
      return failed("HTTP " + httpStatus + " with an invalid body: " + e.getMessage());
    }
  }

  /** The adapter could not be reached, or did not answer. */
  public static TierReply unreachable(String reason) {
    return failed(reason);
  }

  private static TierReply partial(TierStatus tier) {
    String message =
        tier.unevictableBytes() > 0
            ? tier.unevictableBytes() + " bytes cannot be evicted now"
            : "outside the store's range of "
                + tier.minBytes()
                + " to "
                + tier.maxBytes()
                + " bytes, or not finished yet";
    return new TierReply(AckStatus.Partial, tier, message);
  }

  private static TierReply problem(int httpStatus, byte[] body) {
    try {
      Problem problem = TierApi.PROBLEM.decode(body);
      return failed("HTTP " + httpStatus + ", " + problem.title() + ": " + problem.detail());
    } catch (WireException e) {
      return failed("HTTP " + httpStatus);
    }
  }

  private static TierReply failed(String message) {
    return new TierReply(AckStatus.Failed, null, message);
  }
}
