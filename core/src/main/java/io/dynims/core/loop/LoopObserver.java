package io.dynims.core.loop;

import io.dynims.core.wire.MemoryReading;

/** Counts and logs what happens in a loop besides its decisions. */
public interface LoopObserver {

  /** Ignores everything. */
  LoopObserver NONE = new LoopObserver() {};

  /** A reading became the latest of a node that has a policy. */
  default void accepted() {}

  /** Readings lead to no decision. */
  default void refused(Refusal refusal, int count) {}

  /** A reading of a node is refused, as its heartbeat is no shorter than its metrics may be old. */
  default void slowHeartbeat(MemoryReading reading, long staleAfterMillis) {}

  /** A tier is not decided because no ack has reported the capacity in force. */
  default void awaitsAck() {}

  /** The node went silent; every tier with a policy holds. */
  default void silenceBegan(String node, String reason) {}

  /** The silent node sent a fresh reading. */
  default void silenceEnded(String node, String reason) {}

  /** Another message came for a node that is still silent. */
  default void stillSilent(String node, boolean hasPolicy) {}
}
