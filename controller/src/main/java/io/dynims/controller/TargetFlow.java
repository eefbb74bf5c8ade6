package io.dynims.controller;

import io.dynims.controller.api.ControllerMetrics;
import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.LogLine;
import io.dynims.controller.fleet.OthersReply;
import io.dynims.controller.fleet.Tier;
import io.dynims.controller.kafka.AckSink;
import io.dynims.controller.kafka.TargetFeed;
import io.dynims.controller.push.GuardDecisionFetcher;
import io.dynims.controller.push.PushListener;
import io.dynims.controller.push.Pusher;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.tier.TierReply;
import io.micrometer.core.instrument.Counter;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Carries targets from Kafka to the tiers, and the tiers' replies to the fleet and to Kafka. */
final class TargetFlow implements TargetFeed.Receiver, PushListener, AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(TargetFlow.class);

  private final EventLoop loop;
  private final Clock clock;
  private final Fleet fleet;
  private final ControllerMetrics metrics;
  private final PolicySource source;
  private final Pusher pusher;
  private final GuardDecisionFetcher guards;
  private final AckSink acks;
  private final Counter malformed;
  private final Counter unclaimed;
  private final Counter skipped;
  private final Tenures tenures;

  TargetFlow(
      Vertx vertx,
      EventLoop loop,
      ControllerSettings settings,
      Clock clock,
      Fleet fleet,
      ControllerMetrics metrics,
      PolicySource source,
      Tenures tenures) {
    this.loop = loop;
    this.clock = clock;
    this.fleet = fleet;
    this.metrics = metrics;
    this.source = source;
    this.tenures = tenures;
    this.pusher = new Pusher(vertx, clock, System::nanoTime, settings.push(), this);
    this.guards = new GuardDecisionFetcher(vertx, settings.push(), this::guardDecisions);
    fleet.onRemove(tier -> guards.remove(tier.key()));
    this.acks = new AckSink(settings.kafka(), metrics::ackDropped);
    this.malformed =
        metrics.counter("dynims.targets.malformed", "Malformed messages in the target topic");
    this.unclaimed =
        metrics.counter("dynims.targets.unclaimed", "Targets of tiers that no policy names");
    this.skipped =
        metrics.counter(
            "dynims.targets.skipped", "Targets that were not read because newer ones waited");
  }

  Pusher pusher() {
    return pusher;
  }

  /** To be called whenever the tenures have changed. */
  void reassign() {
    pusher.assign(tenures::of);
  }

  @Override
  public void accept(List<Target> batch) throws InterruptedException {
    loop.executeAndWait(() -> batch.forEach(this::accept));
  }

  private void accept(Target target) {
    LOG.debug(() -> LogLine.of("decision", target));
    if (!fleet.recordDecision(target)) {
      unclaimed.increment();
    } else if (tenures.of(target.key()).isOthers()) {
      Tier tier = fleet.tier(target.key());
      OthersReply.of(tier, target).ifPresent(reply -> fleet.recordReply(tier, reply, true));
    } else {
      metrics.countDecision(target);
      pusher.offer(target);
    }
  }

  @Override
  public void malformed() {
    malformed.increment();
  }

  @Override
  public void skipped(long targets) {
    skipped.increment((double) targets);
  }

  @Override
  public void pushed(Tier tier, Target target, TierReply reply, long tookNanos) {
    metrics.recordPush(reply.status(), tookNanos);
    if (reply.status() != AckStatus.Failed) {
      metrics.recordReaction(clock.millis() - target.sampledMillis());
    }
    record(tier, reply, true);
  }

  @Override
  public void asked(Tier tier, TierReply reply) {
    record(tier, reply, false);
  }

  private void record(Tier tier, TierReply reply, boolean push) {
    fleet.recordReply(tier, reply, push);
    if (reply.tier() != null) {
      guards.update(tier, reply.tier(), System.nanoTime());
    }
  }

  private void guardDecisions(Tier tier, List<Target> decisions) {
    fleet.recordGuardDecisions(tier, decisions).forEach(metrics::countGuardDecision);
  }

  @Override
  public void ack(Ack ack) {
    LOG.debug(() -> LogLine.of("ack", ack));
    if (tenures.pushes(ack.key())) {
      acks.send(ack);
    }
  }

  @Override
  public void released(TierKey key, boolean succeeded) {
    source.released(key, succeeded);
  }

  @Override
  public void close() {
    acks.close();
  }
}
