package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.dynims.cli.simulate.Comparison;
import io.dynims.cli.simulate.InputException;
import io.dynims.cli.simulate.PolicyDocument;
import io.dynims.cli.simulate.Simulation;
import io.dynims.cli.simulate.SimulationOptions;
import io.dynims.cli.simulate.SimulationSummary;
import io.dynims.cli.simulate.Tick;
import io.dynims.cli.simulate.TraceReader;
import io.dynims.core.config.Program;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.Policy;
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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "simulate",
    description = {
      "Try a policy on a trace of a node's memory: the real loop, a simulated tier.",
      "",
      "Prints CSV: " + Tick.HEADER,
      "utilization is what the row's decision saw: (jobBytes + what the tier held before it) /"
          + " memory; a row without a decision has no action. capacityBytes and tierBytes are what"
          + " is in force and what the tier holds at the end of the tick. With --compare, it prints"
          + " a table with a row for each law instead. See docs/simulate.md.",
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
      required = true,
      paramLabel = "FILE",
      description =
          "CSV: millis,jobBytes,totalBytes and optionally demandBytes; one row a tick."
              + " - for standard input.")
  private String trace;

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
      description = "With --compare: also draw utilization, job memory and tier over time.")
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
  public Integer call() throws IOException {
    SimulationOptions options = arguments.options();
    List<LawType> laws = comparedLaws();
    try (TraceReader rows = open()) {
      if (compared == null) {
        simulate(rows, options);
      } else {
        compare(laws, rows, options);
      }
    } catch (InputException e) {
      e.getMessage().lines().forEach(line -> context.err().println("dynims: " + line));
      return Program.EXIT_USAGE;
    }
    return 0;
  }

  private TraceReader open() throws InputException {
    return trace.equals(STANDARD_INPUT)
        ? new TraceReader(in, "standard input")
        : TraceReader.open(Path.of(trace));
  }

  private void simulate(TraceReader rows, SimulationOptions options)
      throws IOException, InputException {
    Policy document = law == null ? PolicyDocument.read(policy) : PolicyDocument.read(policy, law);
    SimulationSummary summary = new SimulationSummary();
    PrintWriter out =
        new PrintWriter(new BufferedWriter(new OutputStreamWriter(context.out(), UTF_8)));
    try {
      out.print(Tick.HEADER + "\n");
      new Simulation(document, options)
          .run(
              rows,
              tick -> {
                out.print(tick.toCsv() + "\n");
                summary.add(tick);
              });
    } finally {
      out.flush();
    }
    if (!quiet) {
      summary.lines().forEach(context.err()::println);
    }
  }

  private void compare(List<LawType> laws, TraceReader rows, SimulationOptions options)
      throws IOException, InputException {
    List<Policy> policies = new ArrayList<>();
    for (LawType type : laws) {
      policies.add(PolicyDocument.read(policy, type));
    }
    Comparison comparison = new Comparison(rows.rest(), options);
    policies.forEach(comparison::run);
    if (format == Format.json) {
      context.out().println(JSON.writeValueAsString(Map.of("laws", comparison.rows())));
    } else {
      comparison.table().forEach(context.out()::println);
    }
    if (svg != null) {
      String title = policy.getFileName() + " on " + (trace.equals("-") ? "a trace" : trace);
      Files.writeString(svg, comparison.figure(title).svg());
    }
  }

  /** The laws of --compare; empty without it. */
  private List<LawType> comparedLaws() {
    if (compared == null) {
      refuse(format != null, "-o: is the format of the table of --compare");
      refuse(svg != null, "--svg: draws the laws of --compare");
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
