package io.dynims.experiments.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Processor time that the hypervisor gave to others while this machine wanted it. It delays
 * whatever is measured.
 *
 * @param stolenTicks steal time since boot
 * @param allTicks time of all processors since boot
 */
record StealTime(long stolenTicks, long allTicks) {

  private static final Path STAT = Path.of("/proc/stat");

  /**
   * User, nice, system, idle, iowait, irq, softirq, steal; the following fields are included in
   * user time.
   */
  private static final int FIELDS = 8;

  /** The current values; 0 if the kernel does not report them. */
  static StealTime now() {
    try {
      return of(Files.readString(STAT));
    } catch (IOException | NumberFormatException e) {
      return new StealTime(0, 0);
    }
  }

  /** Parses {@code /proc/stat}. */
  static StealTime of(String stat) {
    String[] words = stat.lines().findFirst().orElse("").split(" +", -1);
    long all = 0;
    long last = 0;
    for (int i = 1; i <= FIELDS && i < words.length; i++) {
      last = Long.parseLong(words[i]);
      all += last;
    }
    return new StealTime(words.length > FIELDS ? last : 0, all);
  }

  /** The share of processor time since an earlier moment, from 0 to 1. */
  double shareSince(StealTime before) {
    long ticks = allTicks - before.allTicks;
    return ticks > 0 ? (stolenTicks - before.stolenTicks) / (double) ticks : 0;
  }
}
