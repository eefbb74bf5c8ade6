package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import java.util.ArrayList;
import java.util.List;

/** A host of one node's loop whose clock a test sets; the node has 1,000 bytes of memory. */
abstract class NodeLoopHarness {

  static final String NODE = "n1";
  static final long START = 1_700_000_000_000L;
  static final Policy POLICY = policy("a", Mode.Enforce);

  /** The same by the other law. */
  static final Policy FORECAST = policy("a", Mode.Enforce, LawType.Forecast);

  final NodeLoopState state = new NodeLoopState();

  /** What the observer has heard, in words. */
  final List<String> heard = new ArrayList<>();

  private final NodeLoop loop = new NodeLoop(state, START, new Recorder());
  private final List<Target> decisions = new ArrayList<>();
  private long now = START;

  private final class Recorder implements LoopObserver {

    @Override
    public void accepted() {
      heard.add("accepted");
    }

    @Override
    public void refused(Refusal refusal, int count) {
      if (count > 0) {
        heard.add(refusal + " " + count);
      }
    }

    @Override
    public void slowHeartbeat(MemoryReading reading, long staleAfterMillis) {
      heard.add("%s of %s".formatted(staleAfterMillis, reading.node()));
    }

    @Override
    public void awaitsAck() {
      heard.add("awaits ack");
    }

    @Override
    public void silenceBegan(String node, String reason) {
      heard.add(node + ": " + reason);
    }

    @Override
    public void silenceEnded(String node, String reason) {
      heard.add(node + ": " + reason);
    }

    @Override
    public void stillSilent(String node, boolean hasPolicy) {
      heard.add(node + (hasPolicy ? " is still silent" : " is still silent, without a policy"));
    }
  }

  static Policy policy(String tier, Mode mode) {
    return policy(tier, mode, LawType.Feedback);
  }

  private static Policy policy(String tier, Mode mode, LawType law) {
    return new Policy(
        NODE,
        tier,
        mode,
        law,
        0.95,
        law.defaultGain(),
        0L,
        null,
        1_000L,
        null,
        null,
        100,
        2_000,
        null);
  }

  static Policy policy(Policy like, long intervalMillis, long staleAfterMillis) {
    return new Policy(
        like.node(),
        like.tier(),
        like.mode(),
        like.law(),
        like.threshold(),
        like.gain(),
        like.minBytes(),
        like.minRatio(),
        like.maxBytes(),
        like.maxRatio(),
        like.memoryBudgetBytes(),
        intervalMillis,
        staleAfterMillis,
        like.onDelete());
  }

  static Ack ack(String tier, long capacityBytes, long usedBytes) {
    return new Ack(
        NODE, tier, capacityBytes, capacityBytes, usedBytes, AckStatus.Applied, "", 0, 0);
  }

  /** An ack of tier "a" for a sample of that time, which came then. */
  static Ack ack(
      long capacityBytes, long usedBytes, long millis, Boolean inProcess, Long measuredMillis) {
    return new Ack(
        NODE,
        "a",
        capacityBytes,
        capacityBytes,
        usedBytes,
        null,
        null,
        null,
        AckStatus.Applied,
        "",
        millis,
        millis,
        null,
        inProcess,
        measuredMillis);
  }

  /** A node with a policy, an ack of 500 bytes, and one sample decided. */
  void ready() {
    know(POLICY);
    know(ack("a", 500, 0));
    sample(START, 500);
    one();
  }

  /** Sets the clock; a timer that is due by then fires at its time. */
  void at(long millis) {
    while (state.timerMillis != 0 && state.timerMillis <= millis) {
      now = state.timerMillis;
      decisions.addAll(loop.onTimer(now));
    }
    now = millis;
  }

  /** Sets the clock and fires nothing. */
  void set(long millis) {
    now = millis;
  }

  /** Fires the timer now. */
  void timer() {
    decisions.addAll(loop.onTimer(now));
  }

  void know(Policy policy) {
    loop.onPolicy(policy, now);
  }

  void know(Ack ack) {
    loop.onAck(ack, now);
  }

  void withdraw(String tier) {
    loop.onWithdrawal(tier);
  }

  boolean isForgettable() {
    return loop.isForgettable();
  }

  void sample(long sampledMillis, long usedBytes) {
    sample(new MemoryReading(NODE, sampledMillis, MemoryReading.WHOLE, 1_000, 1_000 - usedBytes));
  }

  /** Part 0 is what is used, part 5 the unreclaimable slab; the others count as available. */
  void part(long sampledMillis, int part, long bytes) {
    long availableBytes = part == 0 || part == 5 ? 0 : bytes;
    sample(new MemoryReading(NODE, sampledMillis, 1 << part, bytes, availableBytes));
  }

  /** A sample that tells what tier "a" holds and for how long tasks have waited. */
  void sample(long sampledMillis, long usedBytes, long tierUsedBytes, Long stalledMicros) {
    var tierUse = new MemoryReading.TierUse("a", tierUsedBytes);
    sample(
        new MemoryReading(
            NODE,
            sampledMillis,
            MemoryReading.WHOLE,
            1_000,
            1_000 - usedBytes,
            tierUse,
            stalledMicros));
  }

  /**
   * A report of a node that sends what differs by more than 1 byte, and something every 500 ms.
   *
   * @param tierUsedBytes what tier "a" holds
   */
  void report(long sampledMillis, long usedBytes, long tierUsedBytes, Long stalledMicros) {
    var tierUse = new MemoryReading.TierUse("a", tierUsedBytes);
    sample(
        new MemoryReading(
            NODE,
            sampledMillis,
            MemoryReading.WHOLE,
            1_000,
            1_000 - usedBytes,
            tierUse,
            stalledMicros,
            500,
            1));
  }

  void sample(MemoryReading reading) {
    decisions.addAll(loop.onSample(reading, now));
  }

  /** The decisions since the last call. */
  List<Target> fresh() {
    List<Target> fresh = List.copyOf(decisions);
    decisions.clear();
    return fresh;
  }

  Target one() {
    List<Target> fresh = fresh();
    assertThat(fresh).hasSize(1);
    return fresh.get(0);
  }
}
