package io.dynims.experiments.bench.tier;

import io.dynims.cli.stack.StackSettings;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.Ack;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.demo.Await;
import io.dynims.experiments.demo.LoadProcess;
import io.dynims.experiments.demo.LoadProfile;
import io.dynims.experiments.demo.LoopRecorder;
import io.dynims.experiments.demo.NodeBudget;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The whole loop on this machine: collectd, Kafka, Flink, controller and adapter. The node's budget
 * is what other programs use and a nearly full tier, so that a job's memory is taken from the tier.
 */
final class RunningLoop implements AutoCloseable {

  private static final double THRESHOLD = 0.95;

  /** What the tier has in a calm node, see Sizing; half of it is what the burst takes. */
  private static final double BURST = 0.46;

  private static final double ROOM = 0.85;
  private static final long LEAD_MILLIS = 200;
  private static final long RISE_MILLIS = 1_000;
  private static final long TICK_MILLIS = 50;
  private static final long ROOM_MILLIS = 20_000;
  private static final int ATTEMPTS = 3;

  private final long tierMaxBytes;
  private final LoopRecorder recorder;
  private final NodeBudget budget;

  /** Records what a stack that runs does. */
  RunningLoop(BenchStack stack) throws Exception {
    StackSettings settings = stack.settings();
    this.tierMaxBytes = settings.tierMaxBytes();
    this.recorder = new LoopRecorder(stack.clients().kafkaProperties(), settings.nodeName());
    this.budget =
        new NodeBudget(
            stack.clients().tier(),
            stack.home().policies().resolve(settings.store().policyFile()),
            recorder,
            tierMaxBytes);
  }

  /**
   * Sets the law and the node's budget, and waits until the tier has room for its data. Sets the
   * budget again if other programs' memory has changed meanwhile.
   *
   * @return whether the tier has room; otherwise the least capacity of the pass tells how much
   */
  boolean prepare(LawType law) throws IOException, InterruptedException {
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
      var unused = budget.set(law, THRESHOLD);
      if (Await.until(ROOM_MILLIS, TICK_MILLIS, this::hasRoom)) {
        return true;
      }
    }
    return false;
  }

  private boolean hasRoom() {
    return recorder.lastAck().filter(ack -> ack.capacityBytes() >= ROOM * tierMaxBytes).isPresent();
  }

  /** A job that takes half of the tier's memory within a second, until it is closed. */
  LoadProcess burst(long millis) throws IOException {
    long bytes = (long) (BURST * tierMaxBytes);
    return new LoadProcess(
        LoadProfile.startingAt(0)
            .then(LEAD_MILLIS, 0)
            .then(RISE_MILLIS, bytes)
            .then(2 * millis + ROOM_MILLIS, bytes));
  }

  /** The least capacity between two times, epoch milliseconds; 0 if none was told. */
  long leastCapacityBytes(long fromMillis, long toMillis) {
    return recorder.acks(fromMillis, toMillis).stream()
        .mapToLong(Ack::capacityBytes)
        .min()
        .orElse(0);
  }

  /** When the tier was being made smaller, from the sample to the capacity in force. */
  List<HopNames.Interval> shrinks(long fromMillis, long toMillis) {
    List<HopNames.Interval> shrinks = new ArrayList<>();
    long capacityBytes = 0;
    for (Ack ack : recorder.acks(fromMillis, toMillis)) {
      if (ack.capacityBytes() < capacityBytes) {
        shrinks.add(new HopNames.Interval(ack.sampledMillis(), ack.appliedMillis()));
      }
      capacityBytes = ack.capacityBytes();
    }
    return shrinks;
  }

  @Override
  public void close() {
    recorder.close();
  }
}
