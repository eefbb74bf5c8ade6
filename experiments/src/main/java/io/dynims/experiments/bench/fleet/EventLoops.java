package io.dynims.experiments.bench.fleet;

import io.dynims.cli.stack.ProcessUsage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The event loops of a controller. Its busiest one pushes, and is what ends first as a fleet grows.
 */
final class EventLoops {

  /** As much of the threads' name as Linux keeps. */
  private static final String NAME = "vert.x-eventloo";

  private EventLoops() {}

  /** The processor time of each event loop of a process since its start, in seconds. */
  static Map<Long, Double> cpuSeconds(long pid) throws IOException {
    List<Path> threads;
    try (Stream<Path> all = Files.list(Path.of("/proc/" + pid + "/task"))) {
      threads = all.toList();
    }
    Map<Long, Double> seconds = new HashMap<>();
    for (Path thread : threads) {
      if (Files.readString(thread.resolve("comm")).startsWith(NAME)) {
        long id = Long.parseLong(thread.getFileName().toString());
        seconds.put(id, ProcessUsage.cpuSeconds(thread.resolve("stat")));
      }
    }
    return seconds;
  }

  /** The share of a core that the busiest event loop used between two readings. */
  static double busiest(Map<Long, Double> before, Map<Long, Double> after, double seconds) {
    return after.entrySet().stream()
            .mapToDouble(each -> each.getValue() - before.getOrDefault(each.getKey(), 0.0))
            .max()
            .orElse(0)
        / seconds;
  }
}
