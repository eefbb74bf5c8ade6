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
import io.dynims.runtime.backlog.PartitionEnds;
import io.dynims.simulation.MachineClock;
import io.dynims.simulation.VirtualTime;
import io.dynims.torture.plan.Event.Saved;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Hosts the loops of all nodes, as the streaming job does: it saves their states from time to time,
 * reads the topic of policies on from there after a restart, and skips readings and acks that have
 * waited for too long.
 */
public final class JobHost implements LoopObserver {

  /** The job's own default. */
  private static final long CHECKPOINT_MILLIS = 10_000;

  private final MachineClock clock;
  private final Seen seen;
  private final Consumer<Target> out;
  private final Pausable process;

  /** The whole topic of policies. */
  private final List<PolicyNews> news = new ArrayList<>();

  private Checkpoint checkpoint = new Checkpoint(Map.of(), 0);
  private Map<String, NodeLoopState> states = new LinkedHashMap<>();
  private int newsRead;
  private NewestOnly<MemoryReading> readings;
  private NewestOnly<Ack> acks;
  private long startedMillis;

  /**
   * News of a tier's policy.
   *
   * @param policy null if it is withdrawn
   */
  private record PolicyNews(TierKey key, Policy policy) {}

  /**
   * What a restart begins with.
   *
   * @param newsRead how much of the topic of policies is in the states
   */
  private record Checkpoint(Map<String, NodeLoopState> states, int newsRead) {}

  /** Reads a topic whose old messages are useless. */
  private final class NewestOnly<T> {

    private final PartitionEnds ends = new PartitionEnds();
    private final Consumer<T> read;
    private long endOffset;

    NewestOnly(Consumer<T> read) {
      this.read = read;
      note();
    }

    private void note() {
      ends.note(endOffset, clock.nanos() / 1_000_000);
      process.after(PartitionEnds.NOTE_MILLIS, this::note);
    }

    void add(T message) {
      long offset = endOffset++;
      process.run(
          () -> {
            if (ends.next(offset) == offset) {
              read.accept(message);
            } else {
              seen.mark("skipped as outdated");
            }
          });
    }
  }

  JobHost(VirtualTime time, MachineClock clock, Seen seen, Consumer<Target> out) {
    this.process = new Pausable(time);
    this.clock = clock;
    this.seen = seen;
    this.out = out;
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** What it knows of a node; null for nothing. */
  public NodeLoopState state(String node) {
    return states.get(node);
  }

  MachineClock clock() {
    return clock;
  }

  Pausable process() {
    return process;
  }

  void kill() {
    process.kill();
  }

  /** Starts, from its checkpoint or from nothing. */
  void start(Saved kept) {
    process.start();
    startedMillis = clock.millis();
    Checkpoint begin = kept == Saved.Nothing ? new Checkpoint(Map.of(), 0) : checkpoint;
    states = new LinkedHashMap<>(StateCopy.of(begin.states));
    newsRead = begin.newsRead;
    readings = new NewestOnly<>(this::decide);
    acks = new NewestOnly<>(this::accept);
    states.forEach((node, state) -> schedule(node, state, state.timerMillis));
    readNews();
    process.after(CHECKPOINT_MILLIS, this::save);
  }

  private void save() {
    checkpoint = new Checkpoint(StateCopy.of(states), newsRead);
    process.after(CHECKPOINT_MILLIS, this::save);
  }

  void onReading(MemoryReading reading) {
    if (process.isAlive()) {
      readings.add(reading);
    }
  }

  void onAck(Ack ack) {
    if (process.isAlive()) {
      acks.add(ack);
    }
  }

  void onPolicy(TierKey key, Policy policy) {
    news.add(new PolicyNews(key, policy));
    process.run(this::readNews);
  }

  private void decide(MemoryReading reading) {
    run(reading.node(), loop -> loop.onSample(reading, clock.millis()));
  }

  private void accept(Ack ack) {
    run(
        ack.node(),
        loop -> {
          loop.onAck(ack, clock.millis());
          return List.of();
        });
  }

  private void readNews() {
    while (newsRead < news.size()) {
      PolicyNews next = news.get(newsRead++);
      run(
          next.key.node(),
          loop -> {
            if (next.policy == null) {
              loop.onWithdrawal(next.key.tier());
            } else {
              loop.onPolicy(next.policy, clock.millis());
            }
            return List.of();
          });
    }
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
      process.after(
          timerMillis - clock.millis() + 1,
          () -> {
            if (states.get(node) == state && state.timerMillis == timerMillis) {
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
