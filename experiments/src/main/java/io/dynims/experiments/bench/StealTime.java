package io.dynims.experiments.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Processor time that a hypervisor gave to others while this machine wanted it: what is measured
 * meanwhile is late for no fault of its own.
 *
 * @param stolenTicks since the machine's start
 * @param allTicks of all processors, whatever they did
 */
record StealTime(long stolenTicks, long allTicks) {

  private static final Path STAT = Path.of("/proc/stat");

  /** User, nice, system, idle, iowait, irq, softirq, steal; what follows is part of the first. */
  private static final int FIELDS = 8;

  /** Until now; nothing where the kernel does not tell. */
  static StealTime now() {
    try {
      return of(Files.readString(STAT));
    } catch (IOException | NumberFormatException e) {
      return new StealTime(0, 0);
    }
  }

  /** Of the text of {@code /proc/stat}. */
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

  /** The part of all processor time since an earlier moment, from 0 to 1. */
  double shareSince(StealTime before) {
    long ticks = allTicks - before.allTicks;
    return ticks > 0 ? (stolenTicks - before.stolenTicks) / (double) ticks : 0;
  }
}
