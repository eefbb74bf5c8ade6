package io.dynims.experiments.bench.hostile;

import io.dynims.cli.stack.PartStatus;
import io.dynims.core.wire.Ack;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Timings;
import io.dynims.experiments.bench.reaction.LoopTrace;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Measures what clients without credentials do to a running loop: to its pushes, and to the memory
 * and the threads of the adapter and the controller. Every sample is pushed, ten times a second.
 */
public final class HostileBench {

  private static final String NODE = "bench-1";
  private static final long POLL_MILLIS = 200;

  /** Longer than any server keeps a connection that does not get on. */
  private static final int REST_SECONDS = 70;

  private final BenchStack stack;
  private final HostileOptions options;
  private final int restSeconds;
  private final PrintStream progress;

  public HostileBench(BenchStack stack, HostileOptions options, PrintStream progress) {
    this(stack, options, REST_SECONDS, progress);
  }

  HostileBench(BenchStack stack, HostileOptions options, int restSeconds, PrintStream progress) {
    this.stack = stack;
    this.options = options;
    this.restSeconds = restSeconds;
    this.progress = progress;
  }

  /**
   * One server before and after.
   *
   * @param before when it has served the loop for a while
   * @param after when the clients are gone
   */
  record Server(ServerUse before, ServerUse after) {}

  /**
   * What was measured.
   *
   * @param atRest from a decision in the broker until its capacity is in force
   * @param disturbed the same beside the clients
   * @param servers by part
   */
  record Results(
      HostileOptions options,
      Percentiles atRest,
      Percentiles disturbed,
      int connections,
      int refused,
      Map<String, Server> servers) {}

  /**
   * Starts the stack and measures.
   *
   * @throws Exception if a part of the stack does not answer; the message says which
   */
  public Findings run() throws Exception {
    stack.up(
        List.of(
            "node.name=" + NODE,
            "policy.mode=Enforce",
            "loop.realtime=auto",
            "controller.options=--push.held=0ms"));
    List<Integer> ports =
        List.of(stack.settings().port("adapter.port"), stack.settings().port("controller.port"));
    try (LoopTrace trace = new LoopTrace(stack.clients().kafkaProperties(), NODE)) {
      progress.println("measuring pushes at rest for " + options.seconds() + " s");
      TimeUnit.SECONDS.sleep(Math.min(options.seconds(), 10));
      Percentiles atRest = measure(trace, TimeUnit.SECONDS.toMillis(options.seconds()));
      Map<String, ServerUse> before = servers();
      progress.println("at least " + options.connections() + " hostile connections");
      long fromMillis = System.currentTimeMillis();
      HostileClients clients = new HostileClients(ports);
      Percentiles disturbed;
      try (clients) {
        clients.openStreams(ports.get(1), options.streams());
        long leastMillis = fromMillis + TimeUnit.SECONDS.toMillis(options.seconds());
        while (clients.made() < options.connections() || System.currentTimeMillis() < leastMillis) {
          TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        disturbed = percentiles(trace, fromMillis);
      }
      progress.println("waiting until the servers have let go of the clients");
      TimeUnit.SECONDS.sleep(restSeconds);
      Map<String, ServerUse> after = servers();
      Map<String, Server> servers = new LinkedHashMap<>();
      before.forEach((part, use) -> servers.put(part, new Server(use, after.get(part))));
      return new HostileFindings(
              new Results(options, atRest, disturbed, clients.made(), clients.refused(), servers))
          .findings();
    }
  }

  private Percentiles measure(LoopTrace trace, long millis) throws Exception {
    long fromMillis = System.currentTimeMillis();
    TimeUnit.MILLISECONDS.sleep(millis);
    return percentiles(trace, fromMillis);
  }

  /** From each decision until the first answer to a push of it, or of a later one. */
  private static Percentiles percentiles(LoopTrace trace, long fromMillis) throws Exception {
    LoopTrace.Slice slice = trace.between(fromMillis, System.currentTimeMillis());
    Map<Long, Long> decided = new HashMap<>();
    slice
        .decisions()
        .forEach(each -> decided.putIfAbsent(each.target().sampledMillis(), each.brokerMillis()));
    Timings timings = new Timings();
    for (Ack ack : slice.acks()) {
      Long brokerMillis = decided.remove(ack.sampledMillis());
      if (brokerMillis != null) {
        timings.addMillis(ack.appliedMillis() - brokerMillis);
      }
    }
    return timings.millis();
  }

  private Map<String, ServerUse> servers() throws Exception {
    Map<String, ServerUse> servers = new LinkedHashMap<>();
    for (PartStatus part : stack.stack().status()) {
      if (List.of("adapter", "controller").contains(part.part())) {
        servers.put(part.part(), ServerUse.of(part.pid()));
      }
    }
    return servers;
  }
}
