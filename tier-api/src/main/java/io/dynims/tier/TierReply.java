package io.dynims.tier;

import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.WireException;

/**
 * An answer of the Tier API, read.
 *
 * @param status how the request ended
 * @param tier what is in force; null with {@code Failed}
 * @param message why it was not {@code Applied}; empty otherwise
 */
public record TierReply(AckStatus status, TierStatus tier, String message) {

  /** Reads an answer of any HTTP status. */
  public static TierReply read(int httpStatus, byte[] body) {
    try {
      return switch (httpStatus) {
        case 200 -> new TierReply(AckStatus.Applied, TierServer.STATUS.decode(body), "");
        case 202 -> partial(TierServer.STATUS.decode(body));
        default -> failed(httpStatus, body);
      };
    } catch (WireException e) {
      return new TierReply(
          AckStatus.Failed,
          null,
          "HTTP " + httpStatus + " with an unreadable body: " + e.getMessage());
    }
  }

  /** No answer came. */
  public static TierReply unreachable(String why) {
    return new TierReply(AckStatus.Failed, null, why);
  }

  private static TierReply partial(TierStatus tier) {
    String why =
        tier.unevictableBytes() > 0
            ? tier.unevictableBytes() + " bytes cannot be evicted now"
            : "held to "
                + tier.minBytes()
                + " to "
                + tier.maxBytes()
                + " bytes, or still under way";
    return new TierReply(AckStatus.Partial, tier, why);
  }

  private static TierReply failed(int httpStatus, byte[] body) {
    try {
      Problem problem = TierServer.PROBLEM.decode(body);
      return unreachable("HTTP " + httpStatus + ", " + problem.title() + ": " + problem.detail());
    } catch (WireException e) {
      return unreachable("HTTP " + httpStatus);
    }
  }
}
