package io.dynims.controller;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.Tier;
import io.dynims.controller.kafka.PolicyPublisher;
import io.dynims.controller.push.Pusher;
import io.dynims.core.wire.Policy;
import io.dynims.operator.Role;
import io.dynims.policy.PolicySet;
import io.dynims.policy.Vacancy;
import io.dynims.policy.files.PolicyFiles;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Applies policies to the fleet and the push loops, publishes them as the leader, and releases
 * tiers that no policy document names any more. For the event loop.
 */
final class PolicySync implements AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(PolicySync.class);

  private final PolicySource source;
  private final Fleet fleet;
  private final Pusher pusher;
  private final EventLoop loop;
  private final Tenures tenures;
  private final PolicyPublisher publisher;
  private final WithdrawalDelay delay;
  private PolicyFiles.Result latest = new PolicyFiles.Result(PolicySet.EMPTY, false);
  private Vacancy pending = Vacancy.NONE;
  private Role role = Role.Standby;

  PolicySync(
      ControllerSettings settings,
      PolicySource source,
      Fleet fleet,
      Pusher pusher,
      EventLoop loop,
      Tenures tenures) {
    this.source = source;
    this.fleet = fleet;
    this.pusher = pusher;
    this.loop = loop;
    this.tenures = tenures;
    this.publisher = new PolicyPublisher(settings.kafka(), this::releaseOrphan);
    this.delay = new WithdrawalDelay(settings.withdrawalDelayMillis());
    fleet.onPolicies(this::publish);
    fleet.onRemove(this::releaseWithdrawn);
  }

  void changeRole(Role next) {
    role = next;
    if (role == Role.Leader) {
      publish();
    } else {
      publisher.pause();
    }
  }

  /** Applies the policies unless nothing has changed. */
  void apply(PolicyFiles.Result read) {
    Vacancy nowPending = delay.pending(read.set().vacancy(), System.nanoTime());
    if (read.equals(latest) && nowPending.equals(pending)) {
      return;
    }
    latest = read;
    pending = nowPending;
    PolicySet set = read.set();
    List<?> knownErrors = fleet.errors();
    set.errors().stream()
        .filter(error -> !knownErrors.contains(error))
        .forEach(error -> LOG.warn("rejected: {}", error));
    fleet.applyPolicies(set, pending);
    fleet.tiers().forEach(pusher::serve);
    if (!fleet.withheld().isEmpty()) {
      LOG.warn(
          "no document of {} names {} tiers any more, as if by mistake; they are withdrawn if that"
              + " lasts for policies.withdrawal.delay",
          source,
          fleet.withheld().size());
    }
    LOG.info("{} tiers, {} errors in {}", set.tiers().size(), set.errors().size(), source);
  }

  /** Withdraws what has been missing for long enough; to be called periodically. */
  void refresh() {
    if (latest.everRead()) {
      apply(latest);
    }
  }

  private void publish() {
    if (latest.everRead() && role == Role.Leader) {
      publisher.publish(fleet.policies(), fleet.tiers().stream().map(Tier::key).toList(), pending);
    }
  }

  private void releaseWithdrawn(Tier tier) {
    pusher.remove(tier.key());
    if (tenures.pushes(tier.key())) {
      release(tier.policy(), Optional.ofNullable(tier.document().adapter()));
    }
  }

  /** Releases a tier whose document was deleted while no controller ran; called on any thread. */
  private void releaseOrphan(Policy policy) {
    loop.execute(
        () -> {
          Optional<URI> adapter = source.adapter(policy.node());
          if (adapter.isEmpty()) {
            LOG.warn(
                "tier {} has no document any more; its capacity stays as it is, because its adapter"
                    + " is not known",
                policy.key());
          }
          release(policy, adapter);
        });
  }

  private void release(Policy policy, Optional<URI> adapter) {
    adapter.ifPresent(address -> pusher.release(policy, address));
  }

  /** The policies that were read last. */
  PolicyFiles.Result latest() {
    return latest;
  }

  /** Why Kafka is unavailable; empty if it is available. */
  String kafkaFailure() {
    return publisher.failure();
  }

  /** Whether this replica has nothing left to publish. */
  boolean published() {
    return role != Role.Leader || publisher.upToDate();
  }

  @Override
  public void close() {
    publisher.close();
  }
}
