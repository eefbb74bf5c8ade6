package io.dynims.cli.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Identifies one process. Pids are reused, so the identity includes the boot id and the start time
 * in clock ticks since boot, which the wall clock does not affect.
 */
public record ProcessId(long pid, long startTicks, String bootId) {

  private static final Pattern FORM = Pattern.compile("(\\d{1,10}) (\\d{1,18}) (\\S+)\\s*");
  static final long TICKS_PER_SECOND = 100;

  /** Scheduling policies, as the kernel numbers them. */
  private static final int FIFO = 1;

  private static final int ROUND_ROBIN = 2;

  /** The identity of a running process; empty if it has ended. */
  public static Optional<ProcessId> of(long pid) {
    return stat(pid).map(stat -> new ProcessId(pid, stat.startTicks, currentBootId()));
  }

  /** Reads a pid file; empty if it is missing or damaged. */
  public static Optional<ProcessId> read(Path file) {
    try {
      Matcher matcher = FORM.matcher(Files.readString(file));
      return matcher.matches()
          ? Optional.of(
              new ProcessId(
                  Long.parseLong(matcher.group(1)),
                  Long.parseLong(matcher.group(2)),
                  matcher.group(3)))
          : Optional.empty();
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Writes a pid file. */
  public void write(Path file) throws IOException {
    Files.writeString(file, pid + " " + startTicks + " " + bootId + "\n");
  }

  /**
   * Whether it is still running. A zombie counts as running until its other threads have ended and
   * released their ports.
   */
  public boolean isAlive() {
    return stat(pid)
        .filter(stat -> stat.startTicks == startTicks && !stat.hasEnded())
        .filter(stat -> bootId.equals(currentBootId()))
        .isPresent();
  }

  /** Sends SIGTERM or, with force, SIGKILL; does nothing if it has ended. */
  public void signal(boolean force) {
    if (isAlive()) {
      ProcessHandle.of(pid)
          .ifPresent(
              process -> ignoreResult(force ? process.destroyForcibly() : process.destroy()));
    }
  }

  /** Sends SIGKILL and returns when it has ended; does nothing if it has already. */
  public void kill() {
    Optional<ProcessHandle> process = ProcessHandle.of(pid);
    signal(true);
    process.filter(handle -> isAlive()).ifPresent(handle -> handle.onExit().join());
  }

  /** Its resident memory; 0 if it has ended. */
  long residentBytes() {
    try {
      return ProcessUsage.of(pid).residentBytes();
    } catch (IOException e) {
      return 0;
    }
  }

  /** Whether its first thread is scheduled in real time, under either policy. */
  boolean isRealTime() {
    return stat(pid).filter(stat -> stat.policy == FIFO || stat.policy == ROUND_ROBIN).isPresent();
  }

  /** The time since its start. */
  long uptimeMillis() {
    List<String> uptime = lines("/proc/uptime");
    double seconds = uptime.isEmpty() ? 0 : Double.parseDouble(uptime.get(0).split(" ", -1)[0]);
    return Math.max(0, Math.round(seconds * 1000) - startTicks * 1000 / TICKS_PER_SECOND);
  }

  private static void ignoreResult(boolean ignored) {
    // Whether a signal was sent says nothing about the process; isAlive does.
  }

  private record Stat(char state, int threads, long startTicks, int policy) {
    boolean hasEnded() {
      return state == 'X' || (state == 'Z' && threads <= 1);
    }
  }

  /** The name in field 2 may hold anything, so fields count from its closing parenthesis. */
  private static Optional<Stat> stat(long pid) {
    List<String> lines = lines("/proc/" + pid + "/stat");
    if (lines.isEmpty()) {
      return Optional.empty();
    }
    String joined = String.join("\n", lines);
    String[] fields = joined.substring(joined.lastIndexOf(')') + 2).split(" ", -1);
    return Optional.of(
        new Stat(
            fields[0].charAt(0),
            Integer.parseInt(fields[17]),
            Long.parseLong(fields[19]),
            Integer.parseInt(fields[38])));
  }

  private static String currentBootId() {
    List<String> lines = lines("/proc/sys/kernel/random/boot_id");
    return lines.isEmpty() ? "unknown" : lines.get(0);
  }

  private static List<String> lines(String file) {
    try {
      return Files.readAllLines(Path.of(file), java.nio.charset.StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return List.of();
    }
  }
}
