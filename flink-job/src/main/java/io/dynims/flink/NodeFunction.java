package io.dynims.flink;

import io.dynims.core.loop.NodeLoop;
import io.dynims.core.loop.NodeLoopState;
import io.dynims.core.loop.TierLoopState;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Target;
import java.io.IOException;
import java.util.List;
import java.util.function.Function;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.co.KeyedCoProcessFunction;
import org.apache.flink.util.Collector;

/** Hosts a {@link NodeLoop} for each node: keyed state, processing-time timers, metrics, log. */
final class NodeFunction extends KeyedCoProcessFunction<String, MemoryReading, TierUpdate, Target> {

  private static final long serialVersionUID = 1L;

  private transient ValueState<NodeLoopState> state;
  private transient JobObserver observer;
  private transient long startedMillis;

  @Override
  public void open(OpenContext context) {
    state = getRuntimeContext().getState(new ValueStateDescriptor<>("node", NodeLoopState.class));
    observer = new JobObserver(getRuntimeContext().getMetricGroup());
  }

  @Override
  public void processElement1(MemoryReading reading, Context context, Collector<Target> out)
      throws IOException {
    long now = now(context.timerService());
    NodeLoopState node = load();
    emit(run(node, node.timerMillis, context, loop -> loop.onSample(reading, now)), true, out);
  }

  @Override
  public void processElement2(TierUpdate update, Context context, Collector<Target> out)
      throws IOException {
    long now = now(context.timerService());
    NodeLoopState node = load();
    run(
        node,
        node.timerMillis,
        context,
        loop -> {
          update(node, loop, update, now);
          return List.of();
        });
  }

  @Override
  public void onTimer(long timestamp, OnTimerContext context, Collector<Target> out)
      throws IOException {
    NodeLoopState node = state.value();
    if (node == null) {
      return;
    }
    long now = now(context.timerService());
    // The timer that fired is gone, even if the loop wants one at the same time again.
    emit(run(node, 0, context, loop -> loop.onTimer(now)), false, out);
  }

  private void update(NodeLoopState node, NodeLoop loop, TierUpdate update, long now) {
    if (update.policy() != null) {
      observer.policy(update.policy(), node.tiers.get(update.tier()));
      loop.onPolicy(update.policy(), now);
    } else if (update.ack() != null) {
      loop.onAck(update.ack(), now);
    } else {
      observer.withdrawn(update);
      loop.onWithdrawal(update.tier());
    }
  }

  /**
   * Runs a step of a node's loop. What it fails on is that node's alone: the job goes on with all
   * others, and with this one from its policies; its acks and samples come again. What the
   * operators behind fail on is not caught here.
   *
   * @param timerMillis the timer that is set; 0 for none
   * @return what it decided
   */
  private List<Target> run(
      NodeLoopState node, long timerMillis, Context context, Function<NodeLoop, List<Target>> step)
      throws IOException {
    List<Target> decisions = List.of();
    NodeLoopState next = node;
    NodeLoop loop = loop(node);
    try {
      decisions = step.apply(loop);
    } catch (RuntimeException e) {
      observer.failed(context.getCurrentKey(), e);
      next = new NodeLoopState();
      loop = loop(next);
      for (TierLoopState tier : node.tiers.values()) {
        if (tier.policy != null) {
          loop.onPolicy(tier.policy, now(context.timerService()));
        }
      }
    }
    store(next, loop, timerMillis, context.timerService());
    return decisions;
  }

  private NodeLoop loop(NodeLoopState node) {
    return new NodeLoop(node, startedMillis, observer);
  }

  private NodeLoopState load() throws IOException {
    NodeLoopState node = state.value();
    return node == null ? new NodeLoopState() : node;
  }

  /** Keeps the state while anything is to be known of the node, and one timer in step with it. */
  private void store(NodeLoopState node, NodeLoop loop, long timerMillis, TimerService timers)
      throws IOException {
    if (node.timerMillis != timerMillis) {
      if (timerMillis != 0) {
        timers.deleteProcessingTimeTimer(timerMillis);
      }
      if (node.timerMillis != 0) {
        timers.registerProcessingTimeTimer(node.timerMillis);
      }
    }
    if (loop.isForgettable()) {
      state.clear();
    } else {
      state.update(node);
    }
  }

  private void emit(List<Target> decisions, boolean onSample, Collector<Target> out) {
    for (Target decision : decisions) {
      observer.decided(decision, onSample);
      out.collect(decision);
    }
  }

  /** The job's clock; its first reading is when the job started. */
  private long now(TimerService timers) {
    long now = timers.currentProcessingTime();
    if (startedMillis == 0) {
      startedMillis = now;
    }
    return now;
  }
}
