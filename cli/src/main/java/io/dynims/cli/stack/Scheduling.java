package io.dynims.cli.stack;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Real-time scheduling for the programs of the loop. They take little of a processor, but each of
 * some twenty hand-overs from sample to capacity may wait milliseconds for one that is busy with
 * the load.
 */
final class Scheduling {

  /** What {@code loop.realtime} may say. */
  static final List<String> WISHES = List.of("off", "auto", "on");

  private static final List<String> LOOP =
      List.of(
          KafkaPart.NAME,
          LoopParts.CONTROLLER,
          LoopParts.FLINK,
          LoopParts.ADAPTER,
          LoopParts.COLLECTD);

  private final String wish;
  private final PartRunner runner;
  private final PrintStream out;

  Scheduling(StackSettings settings, PartRunner runner, PrintStream out) {
    this.wish = settings.text().get("loop.realtime");
    this.runner = runner;
    this.out = out;
  }

  /**
   * Brings what is wished into force for the parts that run; idempotent.
   *
   * @throws StackException when real-time scheduling must be had and cannot
   */
  void apply(List<Part> parts) throws StackException, IOException, InterruptedException {
    List<ProcessId> loop = loop(parts);
    if (wish.equals("off") || loop.isEmpty()) {
      return;
    }
    for (ProcessId process : loop) {
      String refusal = raise(process);
      if (refusal != null && wish.equals("on")) {
        throw new StackException(
            "loop.realtime=on: real-time scheduling cannot be had: "
                + refusal
                + "; it takes root, CAP_SYS_NICE or a limit for rtprio");
      }
      if (refusal != null) {
        out.printf("%-15s usual, as real-time cannot be had: %s%n", "scheduling", refusal);
        return;
      }
    }
    out.printf("%-15s real-time for the programs of the loop%n", "scheduling");
  }

  /** Whether all parts of the loop that run are scheduled in real time, and one runs. */
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

  /** All threads that there are; later ones take after those. Returns why not, or null. */
  private static String raise(ProcessId process) throws IOException, InterruptedException {
    Process chrt;
    try {
      chrt =
          new ProcessBuilder(
                  "chrt", "--all-tasks", "--rr", "--pid", "1", Long.toString(process.pid()))
              .redirectErrorStream(true)
              .start();
    } catch (IOException e) {
      return e.getMessage(); // There is no chrt.
    }
    chrt.getOutputStream().close();
    String said = new String(chrt.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    return chrt.waitFor() == 0 ? null : said;
  }
}
