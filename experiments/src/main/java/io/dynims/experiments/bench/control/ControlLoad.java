package io.dynims.experiments.bench.control;

import io.dynims.cli.stack.StackStore;
import io.dynims.experiments.demo.LoadProfile;
import io.dynims.experiments.demo.Sizing;
import io.dynims.simulation.TraceRow;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;

/** The loads. Each begins with two seconds in which nothing changes, which are not measured. */
public enum ControlLoad {
  Ramp(
      "ramp",
      "the demo's burst: 0.65 of the tier's maximum within 4 s, held, returned within 6 s") {
    @Override
    LoadProfile profile(Node node, boolean quick) {
      return ramp(node, quick);
    }
  },

  Ramp98("ramp98", "the same at a threshold of 0.98") {
    @Override
    LoadProfile profile(Node node, boolean quick) {
      return ramp(node, quick);
    }

    @Override
    double threshold() {
      return 0.98;
    }
  },

  Step("step", "a third of the full tier at once, held, and returned at once, three times") {
    @Override
    LoadProfile profile(Node node, boolean quick) {
      long stepBytes = node.fullBytes() / 3;
      long holdMillis = quick ? 3_000 : 4_000;
      LoadProfile profile = lead(0);
      for (int i = 0; i < (quick ? 1 : 3); i++) {
        profile =
            profile.then(0, stepBytes).then(holdMillis, stepBytes).then(0, 0).then(holdMillis, 0);
      }
      return profile;
    }
  },

  Sawtooth(
      "sawtooth", "five times up to 0.65 of the tier's maximum within 3 s, and returned at once") {
    @Override
    LoadProfile profile(Node node, boolean quick) {
      LoadProfile profile = lead(0);
      for (int i = 0; i < (quick ? 2 : 5); i++) {
        profile = profile.then(3_000, node.sizing().burstBytes()).then(0, 0);
      }
      return profile.then(TAIL_MILLIS, 0);
    }
  },

  HalfEmpty(
      "half-empty",
      "0.85 of the tier's maximum within 1.7 s, held for 3 s and returned at once, while jobs read"
          + " only so much that the tier holds 0.37 of its maximum") {
    @Override
    LoadProfile profile(Node node, boolean quick) {
      long burstBytes = (long) (0.85 * node.tierMaxBytes());
      return lead(0)
          .then(1_700, burstBytes)
          .then(3_000, burstBytes)
          .then(0, 0)
          .then(TAIL_MILLIS, 0);
    }

    @Override
    double readableRatio() {
      return 752.0 / 2_048;
    }
  },

  Noise("noise", "a new value every 100 ms, uniformly within 1 % of M around the mean, for 20 s") {
    @Override
    LoadProfile profile(Node node, boolean quick) {
      SplittableRandom random = new SplittableRandom(SEED);
      long deviationBytes = node.sizing().budgetBytes() / 100;
      LoadProfile profile = lead(deviationBytes);
      for (int i = 0; i < (quick ? 80 : 200); i++) {
        long bytes = random.nextLong(2 * deviationBytes + 1);
        profile = profile.then(0, bytes).then(100, bytes);
      }
      return profile;
    }
  },

  Hpcc(
      "hpcc",
      "75 s of experiments/traces/hpcc.csv, from its 95th second, at its own speed and a fortieth of"
          + " its size") {
    @Override
    LoadProfile profile(Node node, boolean quick) {
      long fromMillis = 95_000;
      long toMillis = fromMillis + (quick ? 15_000 : 75_000);
      List<TraceRow> rows =
          node.hpcc().stream()
              .filter(row -> row.millis() >= fromMillis && row.millis() <= toMillis)
              .toList();
      long idleBytes = rows.stream().mapToLong(TraceRow::jobBytes).min().orElse(0);
      double scale = node.tierMaxBytes() / (double) (2L << 30) / 40;
      LoadProfile profile = lead((long) (scale * (rows.get(0).jobBytes() - idleBytes)));
      for (int i = 1; i < rows.size(); i++) {
        long millis = rows.get(i).millis() - rows.get(i - 1).millis();
        profile = profile.then(millis, (long) (scale * (rows.get(i).jobBytes() - idleBytes)));
      }
      return profile;
    }
  };

  /**
   * The node that a load is for.
   *
   * @param tierMaxBytes Umax
   * @param sizing its budget and the demo's burst
   * @param hpcc the trace
   */
  record Node(long tierMaxBytes, Sizing sizing, List<TraceRow> hpcc) {

    long fullBytes() {
      return (long) (Sizing.FULL * tierMaxBytes);
    }
  }

  static final long LEAD_MILLIS = 2_000;
  private static final long TAIL_MILLIS = 4_000;
  private static final double THRESHOLD = 0.95;
  private static final long SEED = 20_261_123;

  private final String key;
  private final String text;

  ControlLoad(String key, String text) {
    this.key = key;
    this.text = text;
  }

  /** Its name on the command line and in results. */
  public String key() {
    return key;
  }

  /** What it does. */
  String text() {
    return text;
  }

  /** How much memory it holds over time. */
  abstract LoadProfile profile(Node node, boolean quick);

  /** The policy's r0. */
  double threshold() {
    return THRESHOLD;
  }

  /** How much data is read through the tier, as a part of its maximum; above 1 keeps it full. */
  double readableRatio() {
    return Double.MAX_VALUE;
  }

  /** Whether it can run on a store; one that reads only a part has to empty the tier first. */
  public boolean runsOn(StackStore store) {
    return store == StackStore.Alluxio || readableRatio() >= 1;
  }

  /**
   * The load of a name.
   *
   * @throws IllegalArgumentException naming the loads, if there is none of that name
   */
  public static ControlLoad of(String key) {
    return Arrays.stream(values())
        .filter(load -> load.key.equals(key))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("'" + key + "' is not one of " + keys(", ")));
  }

  /** All names. */
  public static String keys(String separator) {
    return Arrays.stream(values()).map(ControlLoad::key).collect(Collectors.joining(separator));
  }

  private static LoadProfile ramp(Node node, boolean quick) {
    LoadProfile burst = node.sizing().burst(LEAD_MILLIS, quick ? 3_000 : 8_000);
    return burst.then(TAIL_MILLIS, 0);
  }

  private static LoadProfile lead(long bytes) {
    return LoadProfile.startingAt(bytes).then(LEAD_MILLIS, bytes);
  }
}
