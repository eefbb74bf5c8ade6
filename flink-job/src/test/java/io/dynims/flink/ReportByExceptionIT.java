package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.LawType;
import io.dynims.core.node.SendOnDelta;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two nodes with the same jobs at a real broker and a real job, one of which reports by exception.
 * Their tiers are models that fill at 10 GB/s, and shrink and answer at once.
 */
class ReportByExceptionIT {

  private static final long GB = 1_000_000_000L;
  private static final long TOTAL_BYTES = 125 * GB;
  private static final long MAX_TIER_BYTES = 60 * GB;
  private static final long FILL_BYTES_PER_TICK = GB;
  private static final long TICK_MILLIS = 100;
  private static final int STARTED_TICKS = 3_000;
  private static final int SETTLE_TICKS = 200;

  /** The job takes a sample that is so late for outdated, and decides nothing. */
  private static final long LOST_MILLIS = 10_000;

  private static final int CALM_TICKS = 10;

  @TempDir Path directory;

  private final Node every = new Node("every", false);
  private final Node exception = new Node("exception", true);
  private final List<Node> nodes = List.of(every, exception);
  private KafkaLoop kafka;
  private long nextTickMillis;
  private long longestMillis;

  @Test
  void tiersAreDecidedAsIfEverySampleWereSent() throws Exception {
    try (KafkaLoop loop = new KafkaLoop();
        JavaProcess job =
            JavaProcess.job(
                directory.resolve("job.log"),
                "--kafka.bootstrap.servers=" + loop.bootstrapServers())) {
      kafka = loop;
      for (Node node : nodes) {
        kafka.send(policy(node.name));
      }
      nextTickMillis = System.currentTimeMillis();
      for (int tick = 0; !every.decided || !exception.decided; tick++) {
        assertThat(tick).as("ticks until the job decides").isLessThan(STARTED_TICKS);
        for (Node node : nodes) {
          // What is sent before the job has started is lost.
          kafka.send(node.ack(0));
        }
        tick(20 * GB);
      }

      settle(20 * GB);
      ramp(20 * GB, 80 * GB, 60);
      settle(80 * GB);
      assertThat(exception.capacityBytes).isCloseTo(119 * GB - 80 * GB, within(2 * GB));
      ramp(80 * GB, 40 * GB, 10);
      settle(40 * GB);
      assertThat(exception.capacityBytes).isEqualTo(MAX_TIER_BYTES);

      System.out.printf(
          Locale.ROOT,
          "nodes: %d and %d samples, at most %.2f and %.2f of M in use, at most %d ms late%n",
          every.sent,
          exception.sent,
          (double) every.mostUsedBytes / TOTAL_BYTES,
          (double) exception.mostUsedBytes / TOTAL_BYTES,
          longestMillis);
      assertThat(exception.mostUsedBytes).isLessThan(TOTAL_BYTES);
      assertThat(exception.sent).isLessThan(every.sent);
      // Either of them may follow one tick later than the other one.
      assertThat(exception.mostUsedBytes).isCloseTo(every.mostUsedBytes, within(2 * GB));
    }
  }

  /** Holds the jobs' memory until both tiers have come to rest, at the same capacity. */
  private void settle(long jobBytes) throws Exception {
    long bandBytes =
        (long)
            ((ForecastParameters.DEFAULT_DEAD_BAND + SendOnDelta.DEFAULT_TOLERANCE) * TOTAL_BYTES);
    int calm = 0;
    for (int tick = 0; calm < CALM_TICKS; tick++) {
      assertThat(tick).as("ticks until both tiers rest: %s", nodes).isLessThan(SETTLE_TICKS);
      boolean changed = tick(jobBytes);
      boolean agree = Math.abs(every.capacityBytes - exception.capacityBytes) <= bandBytes;
      boolean full = nodes.stream().allMatch(node -> node.usedBytes == node.capacityBytes);
      calm = changed || !agree || !full ? 0 : calm + 1;
    }
  }

  private void ramp(long fromBytes, long toBytes, int ticks) throws Exception {
    for (int tick = 1; tick <= ticks; tick++) {
      tick(fromBytes + (toBytes - fromBytes) * tick / ticks);
    }
  }

  /**
   * Samples both nodes at the next moment at which their last samples are decided: on a busy
   * machine the jobs wait, too. Returns whether a capacity has changed before.
   */
  private boolean tick(long jobBytes) throws Exception {
    boolean changed = false;
    for (long now = System.currentTimeMillis();
        now < nextTickMillis || (isUndecided() && now < nextTickMillis + LOST_MILLIS); ) {
      changed |= resize();
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
      now = System.currentTimeMillis();
    }
    long nowMillis = System.currentTimeMillis();
    longestMillis = Math.max(longestMillis, nowMillis - nextTickMillis);
    nextTickMillis = nowMillis + TICK_MILLIS;
    for (Node node : nodes) {
      node.sample(jobBytes, nowMillis);
    }
    return changed;
  }

  private boolean isUndecided() {
    return every.decided
        && exception.decided
        && nodes.stream().anyMatch(node -> node.decidedMillis < node.sentMillis);
  }

  private boolean resize() throws Exception {
    boolean changed = false;
    for (Target target : kafka.poll()) {
      Node node = target.node().equals(every.name) ? every : exception;
      changed |= node.resize(target);
    }
    return changed;
  }

  private static Policy policy(String node) {
    Policy like = Samples.policy(node, "t", Mode.Enforce, LawType.Forecast);
    return new Policy(
        node,
        "t",
        like.mode(),
        like.law(),
        like.threshold(),
        like.gain(),
        0L,
        null,
        MAX_TIER_BYTES,
        null,
        null,
        TICK_MILLIS,
        2_000,
        null);
  }

  private final class Node {

    final String name;

    /** Null if every sample is sent. */
    final SendOnDelta reports;

    long capacityBytes = MAX_TIER_BYTES;
    long usedBytes = MAX_TIER_BYTES;
    long mostUsedBytes;
    int sent;
    boolean decided;
    long sentMillis;
    long decidedMillis;

    Node(String name, boolean byException) {
      this.name = name;
      this.reports =
          byException
              ? new SendOnDelta(SendOnDelta.DEFAULT_TOLERANCE, SendOnDelta.DEFAULT_HEARTBEAT_MILLIS)
              : null;
    }

    void sample(long jobBytes, long nowMillis) {
      usedBytes = Math.min(capacityBytes, usedBytes + FILL_BYTES_PER_TICK);
      long inUseBytes = jobBytes + usedBytes;
      mostUsedBytes = Math.max(mostUsedBytes, inUseBytes);
      long availableBytes = TOTAL_BYTES - inUseBytes;
      var reading =
          new MemoryReading(name, nowMillis, MemoryReading.WHOLE, TOTAL_BYTES, availableBytes);
      if (reports == null || reports.report(reading) != null) {
        String sample = Samples.collectd(name, nowMillis, TOTAL_BYTES, availableBytes);
        String report =
            Samples.byException(
                sample,
                SendOnDelta.DEFAULT_HEARTBEAT_MILLIS,
                (long) (SendOnDelta.DEFAULT_TOLERANCE * TOTAL_BYTES));
        kafka.begin(
            Topics.METRICS, name, nowMillis, (reports == null ? sample : report).getBytes(UTF_8));
        sentMillis = nowMillis;
        sent++;
      }
    }

    /** Does what a controller and an adapter do. */
    boolean resize(Target target) throws Exception {
      decided = true;
      decidedMillis = Math.max(decidedMillis, target.sampledMillis());
      boolean changes = target.desiredBytes() != capacityBytes;
      capacityBytes = target.desiredBytes();
      usedBytes = Math.min(usedBytes, capacityBytes);
      kafka.send(ack(target.sampledMillis()));
      return changes;
    }

    Ack ack(long sampledMillis) {
      return new Ack(
          name,
          "t",
          capacityBytes,
          capacityBytes,
          usedBytes,
          AckStatus.Applied,
          "",
          sampledMillis,
          System.currentTimeMillis());
    }

    @Override
    public String toString() {
      return name + " holds " + usedBytes + " of " + capacityBytes + " bytes";
    }
  }
}
