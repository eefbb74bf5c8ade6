package io.dynims.flink;

import io.dynims.core.law.CapacityDecision;
import io.dynims.core.law.LawInput;
import io.dynims.core.wire.Target;
import java.io.IOException;
import java.util.Locale;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps what is known of each node and asks the law on each fresh reading of its memory. A timer
 * finds the nodes that went silent; each node has at most one pending, which puts itself off as
 * long as readings come.
 */
final class NodeFunction extends KeyedCoProcessFunction<String, MemoryReading, TierUpdate, Target> {

  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(NodeFunction.class);

  private transient ValueState<NodeState> state;
  private transient NodeCounters counters;
  private transient long startedMillis;

  @Override
  public void open(OpenContext context) {
    state = getRuntimeContext().getState(new ValueStateDescriptor<>("node", NodeState.class));
    counters = new NodeCounters(getRuntimeContext().getMetricGroup());
  }

  @Override
  public void processElement1(MemoryReading reading, Context context, Collector<Target> out)
      throws IOException {
    long now = now(context.timerService());
    NodeState node = load();
    Refusal refusal = node.refusal(reading, now);
    if (!reading.isStock()) {
      node.readerHeardMillis = now;
    }
    if (refusal == null) {
      MemoryReading complete = node.join(reading);
      counters.refused(Refusal.Incomplete, node.dropOverdueParts());
      if (complete != null) {
        take(node, complete, context.timerService(), out);
      }
    } else {
      counters.refused(refusal, 1);
    }
    state.update(node);
  }

  @Override
  public void processElement2(TierUpdate update, Context context, Collector<Target> out)
      throws IOException {
    NodeState node = load();
    if (update.policy() != null) {
      TierState tier = node.tiers.computeIfAbsent(update.tier(), name -> new TierState());
      if (!update.policy().equals(tier.policy)) {
        LOG.info("{}/{}: {}", update.node(), update.tier(), update.policy());
      }
      tier.policy = update.policy();
      hastenTimer(node, context.timerService());
    } else if (update.ack() != null) {
      node.tiers.computeIfAbsent(update.tier(), name -> new TierState()).take(update.ack());
    } else {
      node.tiers.remove(update.tier());
      LOG.info("{}/{}: the policy is withdrawn", update.node(), update.tier());
    }
    if (node.silent) {
      // Acks go on coming, so a job that was restarted knows of each silent node soon.
      counters.silent(update.node(), node.hasPolicy());
    }
    state.update(node);
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<Target> out)
      throws IOException {
    NodeState node = state.value();
    if (node == null) {
      return;
    }
    long now = now(context.timerService());
    long due = heardMillis(node) + node.staleAfterMillis();
    node.timerMillis = 0;
    if (now < due) {
      arm(node, due, context.timerService());
    } else if (node.hasPolicy()) {
      hold(node, now, out);
    } else {
      // Nothing is to be told about it, so a node that is gone for good leaves nothing behind.
      state.clear();
      return;
    }
    state.update(node);
  }

  private void take(
      NodeState node, MemoryReading reading, TimerService timers, Collector<Target> out) {
    long now = timers.currentProcessingTime();
    boolean back = node.silent;
    String prefix = back ? "metrics are back after " + seconds(now - node.acceptedMillis) : "";
    counters.refused(Refusal.Incomplete, node.accept(reading, now));
    node.silent = false;
    if (node.timerMillis == 0) {
      arm(node, now + node.staleAfterMillis(), timers);
    }
    if (back) {
      LOG.info("{}: {}", reading.node(), prefix);
      counters.silent(reading.node(), false);
    }
    counters.taken(node.hasPolicy());
    for (TierState tier : node.tiers.values()) {
      if (!tier.isDecided()) {
        continue;
      }
      if (tier.ack == null) {
        counters.withoutAck();
      } else if (tier.takeTurn(reading.sampledMillis()) || back) {
        CapacityDecision decision = tier.policy.decide(input(node, tier));
        String reason = back ? prefix + ": " + decision.reason() : decision.reason();
        emit(tier, decision, reason, reading.sampledMillis(), now, out);
      }
    }
  }

  private void hold(NodeState node, long now, Collector<Target> out) {
    node.silent = true;
    counters.wentSilent(node.last.node());
    String reason =
        "no metrics for " + seconds(now - heardMillis(node)) + ": the capacity stays as it is";
    LOG.info("{}: {}", node.last.node(), reason);
    for (TierState tier : node.tiers.values()) {
      if (tier.isDecided() && tier.ack != null) {
        CapacityDecision decision =
            CapacityDecision.stale(input(node, tier), tier.policy.parameters());
        emit(tier, decision, reason, node.last.sampledMillis(), now, out);
      }
    }
  }

  /** What the law sees: the capacity that the tier acknowledged, not the one this job wished. */
  private static LawInput input(NodeState node, TierState tier) {
    return tier.policy.input(
        tier.ack.capacityBytes(),
        node.last.usedBytes(node.tierUsedBytes()),
        node.last.totalBytes());
  }

  private void emit(
      TierState tier,
      CapacityDecision decision,
      String reason,
      long sampledMillis,
      long now,
      Collector<Target> out) {
    Target target =
        Target.of(
            tier.policy.key(),
            decision,
            tier.ack.usedBytes(),
            reason,
            sampledMillis,
            tier.acknowledgedMillis,
            now);
    counters.decided(target);
    LOG.debug("{}", target);
    out.collect(target);
  }

  /** A policy may call the node silent earlier than the pending timer would. */
  private void hastenTimer(NodeState node, TimerService timers) {
    long due = heardMillis(node) + node.staleAfterMillis();
    if (due < node.timerMillis) {
      timers.deleteProcessingTimeTimer(node.timerMillis);
      arm(node, due, timers);
    }
  }

  private static void arm(NodeState node, long dueMillis, TimerService timers) {
    node.timerMillis = dueMillis;
    timers.registerProcessingTimeTimer(dueMillis);
  }

  /**
   * When the node was last heard; the time in which this job was not there to hear it is not its.
   */
  private long heardMillis(NodeState node) {
    return Math.max(node.acceptedMillis, startedMillis);
  }

  private NodeState load() throws IOException {
    NodeState node = state.value();
    return node == null ? new NodeState() : node;
  }

  /** The job's clock; its first reading is when the job started. */
  private long now(TimerService timers) {
    long now = timers.currentProcessingTime();
    if (startedMillis == 0) {
      startedMillis = now;
    }
    return now;
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.1f s", millis / 1_000.0);
  }
}
