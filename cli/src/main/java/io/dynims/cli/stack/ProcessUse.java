package io.dynims.cli.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * What a process has used, by {@code /proc}.
 *
 * @param cpuSeconds processor time since its start, its own and the kernel's for it
 * @param residentBytes memory that it occupies, pages of files among them
 * @param anonymousBytes of these, what is no page of a file
 */
public record ProcessUse(double cpuSeconds, long residentBytes, long anonymousBytes) {

  private static final int USER = 11;
  private static final int KERNEL = 12;

  /**
   * Of a process that runs.
   *
   * @throws IOException when it does not
   */
  public static ProcessUse of(long pid) throws IOException {
    Path folder = Path.of("/proc/" + pid);
    String stat = Files.readString(folder.resolve("stat"));
    String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    List<String> status = Files.readAllLines(folder.resolve("status"));
    return new ProcessUse(
        (Long.parseLong(fields[USER]) + Long.parseLong(fields[KERNEL]))
            / (double) ProcessId.TICKS_PER_SECOND,
        bytes(status, "VmRSS:"),
        bytes(status, "RssAnon:"));
  }

  private static long bytes(List<String> status, String name) {
    return status.stream()
        .filter(line -> line.startsWith(name))
        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
        .sum();
  }
}
