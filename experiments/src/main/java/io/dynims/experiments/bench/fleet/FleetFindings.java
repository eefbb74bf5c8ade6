package io.dynims.experiments.bench.fleet;

import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Turns the reports of fleets into findings. */
final class FleetFindings {

  private static final List<String> PROGRAMS = List.of("kafka", "flink", "controller");
  private static final List<String> ALL =
      List.of("kafka", "flink", "controller", "generator", "machine");

  private static final int LARGE = 5_000;
  private static final int MIDDLE = 1_000;
  private static final double LARGE_P99_MILLIS = 100;
  private static final double CORES_PER_NODE = 0.0005;

  private FleetFindings() {}

  static Findings of(
      List<FleetReport> reports,
      Map<Integer, String> unserved,
      boolean ownConnections,
      Double movingRatio,
      int warmUpSeconds) {
    Object json = reports.size() == 1 ? reports.get(0) : Map.of("runs", reports);
    return new Findings(
        "A fleet of simulated nodes",
        json,
        method(ownConnections, movingRatio, warmUpSeconds),
        Stream.concat(
                reports.stream().flatMap(report -> goals(report).stream()),
                unserved.entrySet().stream().map(FleetFindings::unserved))
            .toList(),
        List.of(latencies(reports), cores(reports), memory(reports)),
        reports.size() > 1 ? plots(reports) : List.of());
  }

  private static List<String> method(
      boolean ownConnections, Double movingRatio, int warmUpSeconds) {
    return List.of(
        "A broker, a job and a controller, each a process, serve nodes whose memory and adapters"
            + " are simulated in another process, the generator, on the same machine.",
        "Every node is sampled ten times a second, the nodes spread evenly over the interval. Its"
            + " jobs use memory in bursts; its tier fills at 2 GiB/s up to its capacity and shrinks at"
            + " once, so that each decision changes what is sampled next."
            + (movingRatio == null
                ? ""
                : " All nodes report by exception, and "
                    + percent(movingRatio)
                    + " of them have a burst in each period of 10 to 60 s; the others are calm."),
        "Each node has an adapter with its own address and connection. "
            + (ownConnections
                ? "It also has its own connection to the broker and sends each sample in a request of"
                    + " its own, like collectd."
                : "The samples of all nodes reach the broker in batches over one connection, as from a"
                    + " gateway; --own-connections measures the cost of a connection for each node."),
        "The programs have the settings for thousands of nodes: messages are batched for 5 to 10 ms"
            + " in each hop, and a change of capacity by less than a thousandth of the node's memory is"
            + " pushed only every 500 ms; an ack in between repeats the adapter's last answer. The time"
            + " from sample to capacity in force counts pushes only.",
        "A tick is missed if its sample is never acknowledged. Sample to ack ends when a consumer"
            + " of the acks topic receives the ack, sample to in force when the adapter receives the"
            + " request.",
        "Each stack was started for its run and ran under the same load for "
            + warmUpSeconds
            + " s before the measurement.");
  }

  private static List<Goal> goals(FleetReport report) {
    List<Goal> goals = new ArrayList<>();
    String nodes = report.nodes() + " nodes: ";
    if (report.nodes() == LARGE) {
      double p99 = report.sampleToAckMillis().p99();
      goals.add(
          new Goal(
              nodes + "sample to ack, p99",
              "at most 100 ms",
              Percentiles.text(p99) + " ms",
              p99 <= LARGE_P99_MILLIS));
      goals.add(
          new Goal(
              nodes + "missed ticks",
              "none",
              report.missedTicks() + " of " + report.samples(),
              report.missedTicks() == 0));
    }
    // Nodes that are not served cost nothing, which must not count as cheap.
    boolean served = report.missedTicks() == 0;
    String missed = served ? "" : ", and " + report.missedTicks() + " ticks missed";
    if (report.nodes() == MIDDLE) {
      double cores = PROGRAMS.stream().mapToDouble(report.cpuCores()::get).sum();
      goals.add(
          new Goal(
              nodes + "cores in total",
              "at most 1",
              Percentiles.text(cores) + missed,
              served && cores <= 1));
    }
    if (report.nodes() >= MIDDLE) {
      goals.add(
          new Goal(
              nodes + "share of a core per node",
              "at most 0.05 %",
              percent(report.cpuCoresPerNode()) + missed,
              served && report.cpuCoresPerNode() <= CORES_PER_NODE));
    }
    return goals;
  }

  private static Goal unserved(Map.Entry<Integer, String> size) {
    return new Goal(size.getKey() + " nodes: served at all", "yes", size.getValue(), false);
  }

  private static Table latencies(List<FleetReport> reports) {
    return new Table(
        "Latency in milliseconds, p50 / p99 / max, and missed ticks",
        List.of(
            "nodes",
            "sample to in force",
            "sample to ack",
            "samples",
            "pushed",
            "missed",
            "messages/s",
            "generator late, p99 ms"),
        reports.stream()
            .map(
                r ->
                    List.of(
                        String.valueOf(r.nodes()),
                        r.sampleToInForceMillis().text(),
                        r.sampleToAckMillis().text(),
                        String.valueOf(r.samples()),
                        String.valueOf(r.sampleToInForceMillis().count()),
                        String.valueOf(r.missedTicks()),
                        Percentiles.text(r.messagesPerSecond()),
                        Percentiles.text(r.generatorLateMillisP99())))
            .toList());
  }

  private static Table cores(List<FleetReport> reports) {
    List<String> head = new ArrayList<>(List.of("nodes"));
    head.addAll(ALL);
    head.add("broker, job and controller per node");
    return new Table(
        "Processor cores",
        head,
        reports.stream()
            .map(
                r -> {
                  List<String> row = new ArrayList<>(List.of(String.valueOf(r.nodes())));
                  ALL.forEach(name -> row.add(Percentiles.text(r.cpuCores().get(name))));
                  row.add(percent(r.cpuCoresPerNode()) + " of a core");
                  return row;
                })
            .toList());
  }

  private static Table memory(List<FleetReport> reports) {
    List<String> head = new ArrayList<>(List.of("nodes"));
    head.addAll(PROGRAMS);
    return new Table(
        "Resident memory, MiB; heaps are at most 768 MiB",
        head,
        reports.stream()
            .map(
                r -> {
                  List<String> row = new ArrayList<>(List.of(String.valueOf(r.nodes())));
                  PROGRAMS.forEach(name -> row.add(String.valueOf(r.rssBytes().get(name) >> 20)));
                  return row;
                })
            .toList());
  }

  private static List<Figure> plots(List<FleetReport> reports) {
    List<LinePlot.Series> cost = new ArrayList<>();
    for (String name : ALL) {
      cost.add(series(name, reports, report -> report.cpuCores().get(name)));
    }
    return List.of(
        new LinePlot(
            "cores", "What a fleet costs", Axis.log("nodes at 10 Hz"), Axis.linear("cores"), cost),
        new LinePlot(
            "latency",
            "From the sample to its ack",
            Axis.log("nodes at 10 Hz"),
            Axis.log("milliseconds"),
            List.of(
                series("p50", reports, report -> report.sampleToAckMillis().p50()),
                series("p99", reports, report -> report.sampleToAckMillis().p99()))));
  }

  private static LinePlot.Series series(
      String label, List<FleetReport> reports, ToDoubleFunction<FleetReport> value) {
    return new LinePlot.Series(
        label,
        reports.stream()
            .map(report -> new LinePlot.Point(report.nodes(), value.applyAsDouble(report)))
            .toList());
  }

  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%.3f %%", 100 * ratio);
  }
}
