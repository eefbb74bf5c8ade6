package io.dynims.experiments.paper;

import io.dynims.core.law.LawType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Which runs the figures need. */
public final class PaperPlan {

  /** The names of the figures. */
  public static final List<String> FIGURES = List.of("1", "2", "5", "6", "7", "8", "rate", "hpcc");

  /** Those that need one run in each setup only. */
  public static final List<String> QUICK_FIGURES = List.of("7", "8");

  public static final int REPETITIONS = 3;

  /** The piece of HPCC's run that is replayed: from little memory to its peak and back. */
  private static final long HPCC_FROM_MILLIS = 593_500;

  private static final long HPCC_TO_MILLIS = 645_000;
  private static final int HPCC_AFTER_ITERATION = 3;

  /** The same for the quick form, whose peak is shorter. */
  private static final long QUICK_HPCC_FROM_MILLIS = 689_000;

  private static final long QUICK_HPCC_TO_MILLIS = 702_000;

  /** The under store's rate in all figures but one, bytes per second. */
  public static final long STORE_RATE = 75_000_000;

  private static final List<Long> STORE_RATES = List.of(25_000_000L, 75_000_000L, 200_000_000L);

  /** An RDD cache of the same size takes as long as the static tier, at any rate. */
  static final List<MemorySetup> RATE_SETUPS =
      List.of(MemorySetup.StaticTier, MemorySetup.Elastic, MemorySetup.UpperBound);

  private static final int ITERATIONS = 10;

  /** Beside HPCC itself, which takes a quarter of an hour: as many as end before it does. */
  private static final int ITERATIONS_BESIDE_HPCC = 20;

  private static final int QUICK_ITERATIONS = 2;

  private final PaperScale scale;
  private final boolean quick;
  private final int repetitions;
  private final HpccLoad load;
  private final List<String> figures;
  private final List<DataJob> jobs;

  /**
   * The plan of an experiment.
   *
   * @param jobs which jobs figure 5 has; K-means is always among them
   * @param load from {@link #load(HpccTrace, PaperScale, boolean)}
   * @param figures which of {@link #FIGURES} to make
   * @throws IllegalArgumentException if there is no such figure
   */
  public PaperPlan(
      PaperScale scale,
      boolean quick,
      int repetitions,
      HpccLoad load,
      List<DataJob> jobs,
      List<String> figures) {
    for (String figure : figures) {
      if (!FIGURES.contains(figure)) {
        throw new IllegalArgumentException("'" + figure + "' is not one of " + FIGURES);
      }
    }
    this.scale = scale;
    this.quick = quick;
    this.repetitions = repetitions;
    this.load = load;
    this.figures = List.copyOf(figures);
    this.jobs =
        Arrays.stream(DataJob.values())
            .filter(job -> job == DataJob.KMeans || jobs.contains(job))
            .toList();
  }

  /** The load of an experiment. */
  public static HpccLoad load(HpccTrace trace, PaperScale scale, boolean quick) {
    return quick
        ? trace.load(scale.hpccPeakBytes(), QUICK_HPCC_FROM_MILLIS, QUICK_HPCC_TO_MILLIS, 1)
        : trace.load(scale.hpccPeakBytes(), HPCC_FROM_MILLIS, HPCC_TO_MILLIS, HPCC_AFTER_ITERATION);
  }

  boolean isQuick() {
    return quick;
  }

  HpccLoad load() {
    return load;
  }

  PaperScale scale() {
    return scale;
  }

  /** Whether a figure is to be made. */
  public boolean has(String figure) {
    return figures.contains(figure);
  }

  /** How often a workload of figure 5 runs: K-means repeatedly, to show the spread. */
  int repetitions(DataJob job) {
    return job == DataJob.KMeans ? repetitions : 1;
  }

  /** The workloads of figure 5. */
  List<DataJob> jobs() {
    return quick ? List.of(DataJob.KMeans) : jobs;
  }

  /** The sizes of figure 6: from one that fits everywhere to one larger than the elastic tier. */
  List<Long> dataSizes() {
    long all = scale.elasticTierBytes() * 5 / 4;
    return List.of(1, 2, 3, 4, 5).stream()
        .map(part -> part == 4 ? scale.dataBytes() : all * part / 5)
        .map(bytes -> bytes / PaperData.FILE_BYTES * PaperData.FILE_BYTES)
        .toList();
  }

  List<Long> storeRates() {
    return STORE_RATES;
  }

  RunSpec spec(MemorySetup setup, DataJob job, int repetition) {
    return spec(setup, job, scale.dataBytes(), STORE_RATE, LawType.DEFAULT, repetition);
  }

  RunSpec spec(
      MemorySetup setup, DataJob job, long dataBytes, long rate, LawType law, int repetition) {
    int iterations = quick ? QUICK_ITERATIONS : ITERATIONS;
    return new RunSpec(setup, job, dataBytes, iterations, rate, law, load.name(), repetition);
  }

  /** K-means beside HPCC itself, whose memory is not scaled. */
  RunSpec besideHpcc(MemorySetup setup, NodeLoad hpcc) {
    return new RunSpec(
        setup,
        DataJob.KMeans,
        scale.dataBytes(),
        ITERATIONS_BESIDE_HPCC,
        STORE_RATE,
        LawType.DEFAULT,
        hpcc.name(),
        1);
  }

  /** The run of K-means on other data or another under store. */
  RunSpec kMeans(MemorySetup setup, long dataBytes, long rate) {
    return spec(setup, DataJob.KMeans, dataBytes, rate, LawType.DEFAULT, 1);
  }

  /** All runs, those first without which nothing can be shown. */
  public List<RunSpec> specs() {
    List<RunSpec> specs = new ArrayList<>();
    for (MemorySetup setup :
        List.of(
            MemorySetup.Elastic,
            MemorySetup.UpperBound,
            MemorySetup.StaticTier,
            MemorySetup.RddCache)) {
      specs.add(spec(setup, DataJob.KMeans, 1));
    }
    if (has("5")) {
      for (int repetition = 1; repetition <= repetitions; repetition++) {
        for (DataJob job : jobs()) {
          for (MemorySetup setup : MemorySetup.values()) {
            if (repetition <= repetitions(job)) {
              specs.add(spec(setup, job, repetition));
            }
          }
        }
      }
      specs.add(
          spec(
              MemorySetup.Elastic,
              DataJob.KMeans,
              scale.dataBytes(),
              STORE_RATE,
              LawType.Feedback,
              1));
    }
    if (has("rate")) {
      for (long rate : storeRates()) {
        for (MemorySetup setup : RATE_SETUPS) {
          specs.add(kMeans(setup, scale.dataBytes(), rate));
        }
      }
    }
    if (has("6")) {
      for (long bytes : dataSizes()) {
        for (MemorySetup setup : MemorySetup.values()) {
          specs.add(kMeans(setup, bytes, STORE_RATE));
        }
      }
    }
    return specs.stream().distinct().toList();
  }
}
