package io.dynims.torture.rules;

import io.dynims.core.loop.NodeLoopState;
import io.dynims.core.loop.TierLoopState;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Unpersisted;
import io.dynims.torture.world.AdapterHost;
import java.util.Optional;

/**
 * Data that exist nowhere else are kept: neither the job nor the guard takes a tier from above what
 * it was last told of them to below that.
 */
final class ProtectionRule {

  static final String NAME = "protection";

  private ProtectionRule() {}

  static Optional<Violation> decided(Target target, NodeLoopState state, long millis) {
    TierLoopState tier = state == null ? null : state.tiers.get(target.tier());
    if (tier == null
        || tier.policy == null
        || tier.policy.unpersisted() != Unpersisted.Protect
        || tier.ack == null
        || tier.ack.unpersistedBytes() == null) {
      return Optional.empty();
    }
    long maxBytes = tier.policy.parameters(target.memoryTotalBytes()).maxBytes();
    long floorBytes =
        Math.min(tier.ack.unpersistedBytes(), Math.min(target.previousBytes(), maxBytes));
    return violation(target.key() + " by the job", target.desiredBytes(), floorBytes, millis);
  }

  static Optional<Violation> guarded(AdapterHost adapter, long bytes, long millis) {
    long floorBytes = Math.min(adapter.unpersistedBytes(), adapter.store().capacityBytes());
    return violation(adapter.key() + " by the guard", bytes, floorBytes, millis);
  }

  private static Optional<Violation> violation(
      String what, long bytes, long floorBytes, long millis) {
    return bytes < floorBytes
        ? Optional.of(
            new Violation(
                NAME,
                millis,
                "%s: %,d bytes where %,d exist nowhere else".formatted(what, bytes, floorBytes)))
        : Optional.empty();
  }
}
