package io.dynims.controller;

import io.dynims.controller.kafka.TargetPartition;
import io.dynims.controller.push.Tenure;
import io.dynims.core.wire.TierKey;
import io.dynims.operator.Role;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Which tiers this replica pushes to: all of them as the leader, or, where controllers share the
 * fleet, those whose targets are in its partitions, leader or not. For the event loop.
 */
final class Tenures {

  private final Optional<String> member;
  private final Map<TierKey, Tenure> found = new HashMap<>();
  private Role role = Role.Standby;
  private volatile Map<Integer, Long> held = Map.of();
  private int partitions;

  /**
   * None yet.
   *
   * @param member this replica's name among those that share the fleet; empty if it is not shared
   */
  Tenures(Optional<String> member) {
    this.member = member;
  }

  void changeRole(Role next) {
    role = next;
  }

  /**
   * Takes what this replica serves.
   *
   * @param newHeld the partitions, with the term for each
   * @param newPartitions how many there are in all
   */
  void serve(Map<Integer, Long> newHeld, int newPartitions) {
    held = newHeld;
    partitions = newPartitions;
    found.clear();
  }

  /** What this replica may do with a tier. */
  Tenure of(TierKey key) {
    if (member.isEmpty()) {
      return role.pushes() ? Tenure.SOLE : Tenure.STANDBY;
    }
    return found.computeIfAbsent(key, this::find);
  }

  private Tenure find(TierKey key) {
    Long term = partitions == 0 ? null : held.get(TargetPartition.of(key, partitions));
    return term == null ? Tenure.OTHERS : Tenure.of(member.get(), term);
  }

  /** The number of partitions that this replica serves; for use by any thread. */
  int served() {
    return held.size();
  }

  /** Whether this replica pushes to a tier. */
  boolean pushes(TierKey key) {
    return of(key).pushes();
  }
}
