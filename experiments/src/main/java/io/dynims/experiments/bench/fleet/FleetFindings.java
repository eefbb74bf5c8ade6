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

  private static final List<String> ALL =
      Stream.concat(
              FleetPrograms.NAMES.stream(),
              Stream.of(FleetPrograms.GENERATOR, FleetPrograms.MACHINE))
          .toList();

  private static final int LARGE = 5_000;
  private static final int MIDDLE = 1_000;
  private static final double LARGE_CORES = 2;
  private static final double LARGE_P99_MILLIS = 100;
  private static final double MIDDLE_P99_MILLIS = 60;
  private static final double CALM_CORES = 0.15;
  private static final double SERVED_SECONDS = 30;
  private static final double CORES_PER_NODE = 0.0005;

  private FleetFindings() {}

  static Findings of(
      List<FleetReport> reports, Map<Integer, String> unserved, FleetLoad load, int warmUpSeconds) {
    Object json = reports.size() == 1 ? reports.get(0) : Map.of("runs", reports);
    return new Findings(
        "A fleet of simulated nodes",
        json,
        method(load, warmUpSeconds),
        Stream.concat(
                reports.stream().flatMap(report -> goals(report).stream()),
                unserved.entrySet().stream().map(FleetFindings::unserved))
            .toList(),
        List.of(latencies(reports), cores(reports), memory(reports)),
        reports.size() > 1 ? plots(reports) : List.of());
  }

  private static List<String> method(FleetLoad load, int warmUpSeconds) {
    return List.of(
        "A broker, a job and a controller, each a process, serve nodes whose memory and adapters"
            + " are simulated in another process, the generator, on the same machine.",
        "Every node is sampled ten times a second, the nodes spread evenly over the interval. "
            + load.text()
            + " A tier fills at 2 GiB/s up to its capacity and shrinks at once, so that each decision"
            + " changes what is sampled next. "
            + (load.isInUse()
                ? "At the start all tiers are full, as where only the control plane is new."
                : "At the start all tiers are empty."),
        load.byException()
            ? "All nodes report by exception: a sample counts if it is sent."
            : "All nodes send every sample.",
        "Each node has an adapter with its own address and connection. "
            + (load.ownConnections()
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
        "Cold start: the seconds from when all programs were ready, and all nodes began to send, until"
            + " each node had an ack; and until each had one within "
            + AckRecorder.IN_TIME_MILLIS
            + " ms of its sample.",
        "Each stack was started for its run and ran under the same load for "
            + warmUpSeconds
            + " s before the measurement.");
  }

  private static List<Goal> goals(FleetReport report) {
    List<Goal> goals = new ArrayList<>();
    goals.add(
        Goal.mustHold(
            name(report, "samples acknowledged"),
            "more than 0",
            report.samples() - report.missedTicks() + " of " + report.samples(),
            report.missedTicks() < report.samples()));
    if (report.nodes() == LARGE) {
      goals.add(p99(report, LARGE_P99_MILLIS));
      goals.add(
          Goal.figure(
              name(report, "missed ticks"),
              "none",
              report.missedTicks() + " of " + report.samples(),
              report.missedTicks() == 0));
      goals.add(cores(report, LARGE_CORES));
    }
    if (report.nodes() == MIDDLE) {
      boolean calm = report.movingRatio() != null && report.movingRatio() == 0;
      goals.add(cores(report, calm ? CALM_CORES : 1));
      if (report.movingRatio() == null && report.trace() == null) {
        goals.add(p99(report, MIDDLE_P99_MILLIS));
      }
    }
    if (report.nodes() >= MIDDLE) {
      boolean cheap = report.missedTicks() == 0 && report.cpuCoresPerNode() <= CORES_PER_NODE;
      goals.add(
          Goal.figure(
              name(report, "share of a core per node"),
              "at most 0.05 %",
              percent(report.cpuCoresPerNode()) + missed(report),
              cheap));
      goals.add(
          Goal.figure(
              name(report, "cold start until every node is served"),
              "at most 30 s",
              Percentiles.text(report.servedSeconds()) + " s",
              report.servedSeconds() <= SERVED_SECONDS));
    }
    return goals;
  }

  private static Goal p99(FleetReport report, double atMostMillis) {
    double p99 = report.sampleToAckMillis().p99();
    return Goal.figure(
        name(report, "sample to ack, p99"),
        "at most " + plain(atMostMillis) + " ms",
        Percentiles.text(p99) + " ms",
        p99 <= atMostMillis);
  }

  private static Goal cores(FleetReport report, double atMost) {
    double cores = FleetPrograms.NAMES.stream().mapToDouble(report.cpuCores()::get).sum();
    return Goal.figure(
        name(report, "cores in total"),
        "at most " + plain(atMost),
        Percentiles.text(cores) + missed(report),
        report.missedTicks() == 0 && cores <= atMost);
  }

  private static String name(FleetReport report, String figure) {
    return report.nodes() + " nodes: " + figure;
  }

  /** Nodes that are not served cost nothing, which must not count as cheap. */
  private static String missed(FleetReport report) {
    return report.missedTicks() == 0 ? "" : ", and " + report.missedTicks() + " ticks missed";
  }

  private static Goal unserved(Map.Entry<Integer, String> size) {
    return Goal.figure(size.getKey() + " nodes: served at all", "yes", size.getValue(), false);
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
            "generator late, p99 ms",
            "cold start, s: any ack / in time"),
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
                        Percentiles.text(r.generatorLateMillisP99()),
                        coldStart(r)))
            .toList());
  }

  private static String coldStart(FleetReport report) {
    Double inTime = report.servedInTimeSeconds();
    return Percentiles.text(report.servedSeconds())
        + " / "
        + (inTime == null ? "not reached" : Percentiles.text(inTime));
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
    head.addAll(FleetPrograms.NAMES);
    return new Table(
        "Resident memory, MiB; heaps are at most 768 MiB",
        head,
        reports.stream()
            .map(
                r -> {
                  List<String> row = new ArrayList<>(List.of(String.valueOf(r.nodes())));
                  FleetPrograms.NAMES.forEach(
                      name -> row.add(String.valueOf(r.rssBytes().get(name) >> 20)));
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

  private static String plain(double value) {
    return String.valueOf(value).replaceFirst("\\.0$", "");
  }

  private static String percent(double ratio) {
    return String.format(Locale.ROOT, "%.3f %%", 100 * ratio);
  }
}
