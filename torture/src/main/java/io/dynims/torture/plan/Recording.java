package io.dynims.torture.plan;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** The memory of real jobs: HPCC on one node, experiments/traces/hpcc-recorded.csv. */
public final class Recording {

  /** The time from one row to the next. */
  public static final long INTERVAL_MILLIS = 100;

  /** The memory of the node that was recorded. */
  public static final long TOTAL_BYTES = 18_432_000_000L;

  private static final String FILE = "hpcc-recorded.csv";
  private static final long[] BYTES = read();

  private Recording() {}

  /** The number of rows. */
  public static int rows() {
    return BYTES.length;
  }

  /** What the jobs held, so long after a row; a straight line between two rows. */
  public static double bytesAt(int fromRow, double millis) {
    double place = fromRow + millis / INTERVAL_MILLIS;
    int row = Math.max(0, Math.min(BYTES.length - 2, (int) place));
    return BYTES[row] + (BYTES[row + 1] - BYTES[row]) * Math.min(1, place - row);
  }

  private static long[] read() {
    try (InputStream in = Recording.class.getResourceAsStream(FILE)) {
      return new String(in.readAllBytes(), UTF_8)
          .lines()
          .skip(1)
          .mapToLong(line -> Long.parseLong(line.split(",", -1)[1]))
          .toArray();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
