package io.dynims.experiments.bench.hostile;

import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Table;
import io.dynims.experiments.bench.hostile.HostileBench.Results;
import io.dynims.experiments.bench.hostile.HostileBench.Server;
import java.util.ArrayList;
import java.util.List;

/** Turns what hostile clients did into findings. */
final class HostileFindings {

  private static final double RATIO_GOAL = 2;
  private static final double HEAP_GOAL = 1.1;

  private final Results results;

  HostileFindings(Results results) {
    this.results = results;
  }

  Findings findings() {
    double ratio = ratio(results.disturbed().p99(), results.atRest().p99());
    List<Goal> goals = new ArrayList<>();
    goals.add(
        Goal.figure(
            "pushes' p99 beside hostile clients / at rest",
            "at most 2",
            Percentiles.text(ratio),
            results.disturbed().count() > 0 && ratio <= RATIO_GOAL));
    goals.add(
        Goal.mustHold(
            "pushes beside hostile clients",
            "more than 0",
            Long.toString(results.disturbed().count()),
            results.disturbed().count() > 0));
    results
        .servers()
        .forEach(
            (part, server) -> {
              double heap =
                  ratio((double) server.after().heapBytes(), (double) server.before().heapBytes());
              goals.add(
                  Goal.figure(
                      "heap of the " + part + " after / before",
                      "at most 1.1",
                      Percentiles.text(heap),
                      heap <= HEAP_GOAL));
            });
    return new Findings(
        "Hostile clients", results, method(), goals, List.of(pushes(), servers()), List.of());
  }

  private List<String> method() {
    return List.of(
        "One node, with every part of the loop and the clients on one machine. Every sample is pushed, ten times a second;"
            + " a push counts from the broker's time of the decision until the adapter's answer.",
        results.connections()
            + " connections from this machine without credentials, half to the adapter, half to REST, 200 open at a time: slow and"
            + " broken heads, slow, huge and broken bodies, wrong tokens, wrong hosts, floods of requests whose answers nobody"
            + " reads, and connections that send nothing; and "
            + results.options().streams()
            + " readers of the event stream that never read. The servers ended "
            + results.refused()
            + " connections while a client was still sending.",
        "Heap: objects in use after a full garbage collection, before the clients and when they are gone.");
  }

  private Table pushes() {
    return new Table(
        "From a decision to the capacity in force, p50 / p99 / max, ms",
        List.of("", "ms", "pushes"),
        List.of(row("at rest", results.atRest()), row("beside the clients", results.disturbed())));
  }

  private static List<String> row(String name, Percentiles pushes) {
    return List.of(name, pushes.text(), Long.toString(pushes.count()));
  }

  private Table servers() {
    List<List<String>> rows = new ArrayList<>();
    results.servers().forEach((part, server) -> rows.add(row(part, server)));
    return new Table(
        "Memory and threads",
        List.of("part", "heap before, KiB", "after", "threads before", "after"),
        rows);
  }

  private static List<String> row(String part, Server server) {
    return List.of(
        part,
        Long.toString(server.before().heapBytes() >> 10),
        Long.toString(server.after().heapBytes() >> 10),
        Integer.toString(server.before().threads()),
        Integer.toString(server.after().threads()));
  }

  private static double ratio(double dividend, double divisor) {
    return divisor > 0 ? dividend / divisor : 0;
  }
}
