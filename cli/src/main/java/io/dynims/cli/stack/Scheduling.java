package io.dynims.cli.stack;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Real-time scheduling for the programs of the loop. They use little processor time, but each of
 * the roughly twenty hand-overs between a sample and a capacity in force may wait milliseconds for
 * a processor that is busy with the load.
 */
final class Scheduling {

  /** The values of {@code loop.realtime}. */
  static final List<String> MODES = List.of("off", "auto", "on");

  private static final List<String> LOOP =
      List.of(
          KafkaPart.NAME,
          LoopParts.CONTROLLER,
          LoopParts.FLINK,
          AdapterPart.NAME,
          LoopParts.COLLECTD);

  private final String mode;
  private final PartRunner runner;
  private final PrintStream out;

  Scheduling(StackSettings settings, PartRunner runner, PrintStream out) {
    this.mode = settings.text().get("loop.realtime");
    this.runner = runner;
    this.out = out;
  }

  /**
   * Applies the setting to the running parts; idempotent.
   *
   * @throws StackException if real-time scheduling is required but not available
   */
  void apply(List<Part> parts) throws StackException, IOException, InterruptedException {
    List<ProcessId> loop = loop(parts);
    if (mode.equals("off") || loop.isEmpty()) {
      return;
    }
    for (ProcessId process : loop) {
      String refusal = raise(process);
      if (refusal != null && mode.equals("on")) {
        throw new StackException(
            "loop.realtime=on: real-time scheduling is not available: "
                + refusal
                + "; it needs root, CAP_SYS_NICE or an rtprio limit");
      }
      if (refusal != null) {
        out.printf("%-15s normal; real-time is not available: %s%n", "scheduling", refusal);
        return;
      }
    }
    out.printf("%-15s real-time for the programs of the loop%n", "scheduling");
  }

  /** Whether a part of the loop is running, and all that are running are scheduled in real time. */
  boolean isRealTime(List<Part> parts) {
    List<ProcessId> loop = loop(parts);
    return !loop.isEmpty() && loop.stream().allMatch(ProcessId::isRealTime);
  }

  private List<ProcessId> loop(List<Part> parts) {
    return parts.stream()
        .filter(part -> LOOP.contains(part.name()))
        .flatMap(part -> runner.process(part).stream())
        .toList();
  }

  /**
   * Raises all threads; later threads inherit their policy. Returns the reason for a failure, or
   * null.
   */
  private static String raise(ProcessId process) throws IOException, InterruptedException {
    Process chrt;
    try {
      chrt =
          new ProcessBuilder(
                  "chrt", "--all-tasks", "--rr", "--pid", "1", Long.toString(process.pid()))
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      return e.getMessage(); // chrt is not installed.
    }
    chrt.getOutputStream().close();
    String output =
        new String(chrt.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return chrt.waitFor() == 0 ? null : output;
  }
}
