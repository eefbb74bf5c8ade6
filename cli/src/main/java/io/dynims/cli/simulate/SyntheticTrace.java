package io.dynims.cli.simulate;

import io.dynims.simulation.TraceRow;
import java.io.PrintWriter;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Loads to try policies on, on a node of 125 GB in ticks of 100 ms. All are made from a seed; the
 * generator is one whose numbers Java specifies, so that a seed gives the same trace anywhere.
 */
public enum SyntheticTrace {
  /** Memory rises evenly, stays and falls evenly. */
  ramp(600) {
    @Override
    Load load(Random random) {
      return seconds -> between(30, 105, (seconds - 10) / 20) - between(0, 75, (seconds - 40) / 10);
    }
  },

  /** Memory comes at once and goes at once. */
  step(600) {
    @Override
    Load load(Random random) {
      double comes = 14 + 2 * random.nextDouble();
      double goes = 39 + 2 * random.nextDouble();
      return seconds -> seconds >= comes && seconds < goes ? 100 : 30;
    }
  },

  /** Memory rises over nine seconds and goes at once, again and again. */
  sawtooth(600) {
    @Override
    Load load(Random random) {
      return seconds -> between(30, 100, (seconds % 10) / 9) * (seconds % 10 < 9 ? 1 : 0.3);
    }
  },

  /**
   * The shape of HPCC as the DynIMS paper shows it: phases of different sizes with pauses between
   * them, a peak of 75 GB, at least 40 GB idle.
   */
  hpcc(3_000) {
    @Override
    Load load(Random random) {
      return phases(random);
    }
  },

  /** Memory wanders around 65 GB, with short peaks. */
  noisy(1_200) {
    @Override
    Load load(Random random) {
      return wandering(random);
    }
  };

  /** Memory in use in GB by the time in seconds; asked tick by tick. */
  @FunctionalInterface
  interface Load {
    double gigabytes(double seconds);
  }

  static final long TOTAL_BYTES = 125_000_000_000L;

  /** The time between two rows. */
  public static final long TICK_MILLIS = 100;

  /** Other programs of the node, up to this much more or less at each tick. */
  private static final double BACKGROUND_GIGABYTES = 0.05;

  /** What each benchmark of HPCC holds, and the share of the trace that it and its pause take. */
  private static final double[][] HPCC_PHASES = {
    {42, 0.10}, {75, 0.24}, {50, 0.10}, {24, 0.10}, {38, 0.14}, {60, 0.18}, {9, 0.14}
  };

  private static final double IDLE_GIGABYTES = 5;

  private final int rows;

  SyntheticTrace(int rows) {
    this.rows = rows;
  }

  /** Makes the rows of this seed, one after the other. */
  public void generate(long seed, Consumer<TraceRow> out) {
    Random random = new Random(seed);
    Load load = load(random);
    for (int i = 0; i < rows; i++) {
      double background = BACKGROUND_GIGABYTES * (2 * random.nextDouble() - 1);
      double gigabytes = load.gigabytes(i * TICK_MILLIS / 1e3) + background;
      long megabytes = Math.round(gigabytes * 1e3);
      out.accept(new TraceRow(i * TICK_MILLIS, megabytes * 1_000_000, TOTAL_BYTES));
    }
  }

  /** Prints the trace of this seed as CSV with its header. */
  public void print(long seed, PrintWriter out) {
    out.print(TraceRow.HEADER + "\n");
    generate(seed, row -> out.print(row.toCsv() + "\n"));
  }

  abstract Load load(Random random);

  /** From one value to another as the share goes from 0 to 1; held before and after. */
  private static double between(double from, double to, double share) {
    return from + (to - from) * Math.max(0, Math.min(1, share));
  }

  private static Load phases(Random random) {
    double[] ends = new double[HPCC_PHASES.length];
    double end = 0;
    for (int i = 0; i < ends.length; i++) {
      end += 300 * HPCC_PHASES[i][1] * (0.95 + 0.1 * random.nextDouble());
      ends[i] = end;
    }
    return seconds -> {
      int i = 0;
      while (i < ends.length - 1 && seconds >= ends[i]) {
        i++;
      }
      double begin = i == 0 ? 0 : ends[i - 1];
      // Arrays are filled within three seconds, given back within half a second, then comes a
      // pause.
      double pause = (ends[i] - begin) * 0.2;
      double filled = between(IDLE_GIGABYTES, HPCC_PHASES[i][0], (seconds - begin) / 3);
      double given = (seconds - (ends[i] - pause)) / 0.5;
      return between(filled, IDLE_GIGABYTES, given);
    };
  }

  private static Load wandering(Random random) {
    double[] state = {65, 0};
    return seconds -> {
      // Pulled back to the middle, so that the walk stays around it.
      state[0] += 0.02 * (65 - state[0]) + 1.5 * random.nextGaussian();
      if (random.nextInt(80) == 0) {
        state[1] = 10 + 20 * random.nextDouble();
      }
      state[1] = state[1] < 1 ? 0 : state[1] * 0.7;
      return Math.max(IDLE_GIGABYTES, Math.min(115, state[0] + state[1]));
    };
  }
}
