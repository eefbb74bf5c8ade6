package io.dynims.torture.world;

import io.dynims.core.loop.LoopObserver;
import io.dynims.core.loop.NodeLoop;
import io.dynims.core.loop.NodeLoopState;
import io.dynims.core.loop.Refusal;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.simulation.MachineClock;
import io.dynims.simulation.VirtualTime;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/** Hosts the loops of all nodes, as the streaming job does. */
public final class JobHost implements LoopObserver {

  private final VirtualTime time;
  private final MachineClock clock;
  private final Seen seen;
  private final Consumer<Target> out;
  private final Map<String, NodeLoopState> states = new LinkedHashMap<>();

  /** What the topic of policies keeps. */
  private final Map<TierKey, Policy> policies = new LinkedHashMap<>();

  private boolean alive = true;
  private long startedMillis;

  JobHost(VirtualTime time, MachineClock clock, Seen seen, Consumer<Target> out) {
    this.time = time;
    this.clock = clock;
    this.seen = seen;
    this.out = out;
    this.startedMillis = clock.millis();
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return alive;
  }

  /** What it knows of a node; null for nothing. */
  public NodeLoopState state(String node) {
    return states.get(node);
  }

  MachineClock clock() {
    return clock;
  }

  void kill() {
    alive = false;
  }

  /** Starts again, from its checkpoint or from nothing; it reads the topic of policies anew. */
  void restart(boolean forgets) {
    alive = true;
    startedMillis = clock.millis();
    if (forgets) {
      states.clear();
    }
    for (Map.Entry<String, NodeLoopState> each : states.entrySet()) {
      schedule(each.getKey(), each.getValue(), each.getValue().timerMillis);
    }
    policies.values().forEach(this::follow);
  }

  void onReading(MemoryReading reading) {
    if (alive) {
      run(reading.node(), loop -> loop.onSample(reading, clock.millis()));
    }
  }

  void onAck(Ack ack) {
    if (alive) {
      run(
          ack.node(),
          loop -> {
            loop.onAck(ack, clock.millis());
            return List.of();
          });
    }
  }

  void onPolicy(Policy policy) {
    policies.put(policy.key(), policy);
    if (alive) {
      follow(policy);
    }
  }

  private void follow(Policy policy) {
    run(
        policy.node(),
        loop -> {
          loop.onPolicy(policy, clock.millis());
          return List.of();
        });
  }

  private void run(String node, Function<NodeLoop, List<Target>> step) {
    NodeLoopState state = states.computeIfAbsent(node, name -> new NodeLoopState());
    long timerMillis = state.timerMillis;
    try {
      List<Target> decided = step.apply(new NodeLoop(state, startedMillis, this));
      schedule(node, state, timerMillis == state.timerMillis ? 0 : state.timerMillis);
      decided.forEach(out);
    } catch (RuntimeException e) {
      seen.failed(node, e);
    }
  }

  /** Sets a timer; 0 for none. */
  private void schedule(String node, NodeLoopState state, long timerMillis) {
    if (timerMillis != 0) {
      time.after(
          timerMillis - clock.millis() + 1,
          () -> {
            if (alive && states.get(node) == state && state.timerMillis == timerMillis) {
              fire(node, state);
            }
          });
    }
  }

  private void fire(String node, NodeLoopState state) {
    try {
      List<Target> decided = new NodeLoop(state, startedMillis, this).onTimer(clock.millis());
      schedule(node, state, state.timerMillis);
      decided.forEach(out);
    } catch (RuntimeException e) {
      seen.failed(node, e);
    }
  }

  @Override
  public void refused(Refusal refusal, int count) {
    if (count > 0) {
      seen.mark("refused " + refusal);
    }
  }
}
