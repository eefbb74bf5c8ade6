package io.dynims.controller.fleet;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierStatus;
import java.util.Optional;

/**
 * What a decision tells of a tier that another controller pushes to: the job was told it by that
 * one's acks.
 */
public final class OthersReply {

  private OthersReply() {}

  /** The reply that the other controller got last; empty if the decision does not rest on one. */
  public static Optional<TierReply> of(Tier tier, Target decision) {
    TierStatus last = tier.inForce();
    boolean confirmed =
        decision.acknowledgedMillis() != null
            && decision.tierUsedBytes() != null
            && decision.limitedBy() != Limit.Stale
            && decision.limitedBy() != Limit.Unconfirmed;
    if (last == null || !confirmed) {
      return Optional.empty();
    }
    long unevictableBytes =
        decision.unevictableBytes() == null ? 0 : Math.max(0, decision.unevictableBytes());
    TierStatus status = status(last, decision, unevictableBytes);
    return Optional.of(
        unevictableBytes == 0
            ? new TierReply(AckStatus.Applied, status, "")
            : new TierReply(
                AckStatus.Partial, status, unevictableBytes + " bytes cannot be evicted now"));
  }

  /** What was told last, with what the decision knows better. */
  private static TierStatus status(TierStatus last, Target decision, long unevictableBytes) {
    return new TierStatus(
        last.node(),
        last.tier(),
        decision.previousBytes(),
        last.minBytes(),
        last.maxBytes(),
        last.usedBytes(),
        last.reservedBytes(),
        unevictableBytes,
        last.unpersistedBytes(),
        last.hitRatio(),
        last.storeVersion(),
        last.nodeMemoryBytes(),
        last.sampledMillis(),
        last.leaseHeld(),
        last.guard(),
        last.guardDecidedMillis(),
        decision.tierUsedBytes(),
        last.hints(),
        last.inProcess(),
        null);
  }
}
