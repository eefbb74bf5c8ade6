package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.dynims.cli.simulate.Comparison;
import io.dynims.cli.simulate.HistoryClient;
import io.dynims.cli.simulate.InputException;
import io.dynims.cli.simulate.PolicyDocument;
import io.dynims.cli.simulate.RecordingNotes;
import io.dynims.cli.simulate.SummaryText;
import io.dynims.cli.simulate.TraceReader;
import io.dynims.cli.stack.StackException;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.runtime.config.ConfigException;
import io.dynims.runtime.config.Program;
import io.dynims.simulation.Simulation;
import io.dynims.simulation.SimulationOptions;
import io.dynims.simulation.SimulationSummary;
import io.dynims.simulation.Tick;
import io.dynims.simulation.TraceRecording;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "simulate",
    description = {
      "Try a policy on a trace of a node's memory, or on its recent past: the real loop, a simulated"
          + " tier.",
      "",
      "Prints CSV: " + Tick.HEADER,
      "utilization is what the row's decision saw: (jobBytes + what the tier held before it) /"
          + " memory; a row without a decision has no action. capacityBytes and tierBytes are what"
          + " is in force and what the tier holds at the end of the tick. With --compare, it prints"
          + " a table with a row for each law instead; with --node or --history also a row for what"
          + " was recorded. See docs/simulate.md.",
      ""
    })
final class SimulateCommand implements Callable<Integer> {

  enum Format {
    table,
    json
  }

  private static final String STANDARD_INPUT = "-";
  private static final String ALL_LAWS = "all";
  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  private final CliContext context;
  private final InputStream in;

  @Spec private CommandSpec spec;
  @Mixin private final SimulationArguments arguments = new SimulationArguments();

  @Option(
      names = "--trace",
      paramLabel = "FILE",
      description =
          "CSV: millis,jobBytes,totalBytes and optionally demandBytes; one row a tick."
              + " - for standard input.")
  private String trace;

  @Option(
      names = "--node",
      paramLabel = "NODE",
      description = "Instead of a trace: what the controller has recorded of a node.")
  private String node;

  @Option(
      names = "--history",
      paramLabel = "FILE",
      description =
          "Instead of a trace: an answer of the controller's /api/v1/tiers/NODE/history."
              + " - for standard input.")
  private String history;

  @Mixin private final HistoryOptions recorded = new HistoryOptions();

  @Option(
      names = "--policy",
      required = true,
      paramLabel = "FILE",
      description = "A MemoryTier as the controller takes it; decided on whatever its mode says.")
  private Path policy;

  @Option(
      names = "--law",
      paramLabel = "TYPE",
      description =
          "Another law than the policy's, with its own defaults: ${COMPLETION-CANDIDATES}.")
  private LawType law;

  @Option(
      names = "--compare",
      arity = "0..1",
      paramLabel = "TYPE,…",
      fallbackValue = ALL_LAWS,
      description = "Compare these laws in a table; all if none is named.")
  private String compared;

  @Option(
      names = {"-o", "--output"},
      description = "Format of the table: ${COMPLETION-CANDIDATES}. Default: table.")
  private Format format;

  @Option(
      names = "--svg",
      paramLabel = "FILE",
      description = "With a table: also draw utilization, job memory and tier over time.")
  private Path svg;

  @Option(names = "--quiet", description = "No summary on standard error.")
  private boolean quiet;

  SimulateCommand(CliContext context) {
    this(context, System.in);
  }

  SimulateCommand(CliContext context, InputStream in) {
    this.context = context;
    this.in = in;
  }

  @Override
  public Integer call() throws ConfigException, IOException, StackException, InterruptedException {
    long loads = Stream.of(trace, node, history).filter(Objects::nonNull).count();
    refuse(loads != 1, "one of --trace, --node and --history is required");
    SimulationOptions options = arguments.options();
    List<LawType> laws = comparedLaws();
    try {
      if (trace == null) {
        compareWithRecorded(laws, options);
      } else {
        simulateTrace(laws, options);
      }
    } catch (InputException e) {
      e.getMessage().lines().forEach(line -> context.err().println("dynims: " + line));
      return Program.EXIT_USAGE;
    }
    return 0;
  }

  private void simulateTrace(List<LawType> laws, SimulationOptions options)
      throws IOException, InputException {
    try (TraceReader rows = open()) {
      if (compared == null) {
        simulate(rows, options);
      } else {
        List<Policy> policies = policies(laws);
        compare(policies, new Comparison(rows.rest(), options), trace);
      }
    }
  }

  private TraceReader open() throws InputException {
    return trace.equals(STANDARD_INPUT)
        ? new TraceReader(in, "standard input")
        : TraceReader.open(Path.of(trace));
  }

  private void simulate(TraceReader rows, SimulationOptions options)
      throws IOException, InputException {
    Policy document = document();
    SimulationSummary summary = new SimulationSummary();
    PrintWriter out =
        new PrintWriter(new BufferedWriter(new OutputStreamWriter(context.out(), UTF_8)));
    try {
      out.print(Tick.HEADER + "\n");
      rows.run(
          new Simulation(document, options),
          tick -> {
            out.print(tick.toCsv() + "\n");
            summary.add(tick);
          });
    } finally {
      out.flush();
    }
    if (!quiet) {
      SummaryText.lines(summary).forEach(context.err()::println);
    }
  }

  private Policy document() throws InputException {
    return law == null ? PolicyDocument.read(policy) : PolicyDocument.read(policy, law);
  }

  /** The policy under each of these laws. */
  private List<Policy> policies(List<LawType> laws) throws InputException {
    List<Policy> policies = new ArrayList<>();
    for (LawType type : laws) {
      policies.add(PolicyDocument.read(policy, type));
    }
    return policies;
  }

  private void compareWithRecorded(List<LawType> laws, SimulationOptions options)
      throws ConfigException, IOException, InputException, StackException, InterruptedException {
    List<Policy> policies = laws.isEmpty() ? List.of(document()) : policies(laws);
    List<Target> decisions = node == null ? readHistory() : recorded.decisions(node, context);
    TraceRecording recording = new TraceRecording(decisions);
    if (recording.rows().isEmpty()) {
      throw new StackException("there are no decisions that say what the tier held");
    }
    Comparison comparison = new Comparison(recording.rows(), recording.startingAsRecorded(options));
    comparison.addRecorded(recording);
    compare(policies, comparison, decisions.get(0).node());
    if (!quiet) {
      long askedMillis = node == null ? 0 : recorded.askedMillis();
      new RecordingNotes(recording)
          .lines(askedMillis, System.currentTimeMillis())
          .forEach(note -> context.err().println("dynims: " + note));
    }
  }

  private List<Target> readHistory() throws IOException, InputException {
    return history.equals(STANDARD_INPUT)
        ? HistoryClient.read(in.readAllBytes(), "standard input")
        : HistoryClient.read(Files.readAllBytes(Path.of(history)), history);
  }

  private void compare(List<Policy> policies, Comparison comparison, String load)
      throws IOException {
    policies.forEach(comparison::run);
    if (format == Format.json) {
      context.out().println(JSON.writeValueAsString(Map.of("laws", comparison.rows())));
    } else {
      comparison.table().forEach(context.out()::println);
    }
    if (svg != null) {
      String title =
          policy.getFileName() + " on " + (load.equals(STANDARD_INPUT) ? "a trace" : load);
      Files.writeString(svg, comparison.figure(title).svg());
    }
  }

  /** The laws of --compare; empty without it. */
  private List<LawType> comparedLaws() {
    if (compared == null) {
      refuse(format != null && trace != null, "-o: is the format of the table of --compare");
      refuse(svg != null && trace != null, "--svg: draws the laws of --compare");
      return List.of();
    }
    refuse(law != null, "--law: name the law in --compare instead");
    if (compared.equals(ALL_LAWS)) {
      return List.of(LawType.values());
    }
    List<LawType> laws = new ArrayList<>();
    for (String name : compared.split(",", -1)) {
      laws.add(law(name.strip()));
    }
    return List.copyOf(new LinkedHashSet<>(laws));
  }

  private LawType law(String name) {
    List<LawType> known = Arrays.asList(LawType.values());
    return known.stream()
        .filter(type -> type.name().equalsIgnoreCase(name))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(), "--compare: '" + name + "' is not one of " + known));
  }

  private void refuse(boolean wrong, String message) {
    if (wrong) {
      throw new ParameterException(spec.commandLine(), message);
    }
  }
}
