package io.dynims.cli.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The resources that a process uses, from {@code /proc}.
 *
 * @param cpuSeconds user and system time since its start
 * @param residentBytes resident memory, including pages of files
 * @param anonymousBytes resident memory without pages of files
 */
public record ProcessUsage(double cpuSeconds, long residentBytes, long anonymousBytes) {

  private static final int USER = 11;
  private static final int KERNEL = 12;

  /**
   * The use of a running process.
   *
   * @throws IOException if it is not running
   */
  public static ProcessUsage of(long pid) throws IOException {
    Path folder = Path.of("/proc/" + pid);
    List<String> status = Files.readAllLines(folder.resolve("status"));
    return new ProcessUsage(
        cpuSeconds(folder.resolve("stat")), bytes(status, "VmRSS:"), bytes(status, "RssAnon:"));
  }

  /** The user and system time of a process or a thread since its start, from its stat file. */
  public static double cpuSeconds(Path statFile) throws IOException {
    String stat = Files.readString(statFile);
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(fields[USER]) + Long.parseLong(fields[KERNEL]))
        / (double) ProcessId.TICKS_PER_SECOND;
  }

  private static long bytes(List<String> status, String name) {
    return status.stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
        .sum();
  }
}
