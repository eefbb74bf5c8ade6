package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.cli.simulate.InputException;
import io.dynims.cli.simulate.PolicyDocument;
import io.dynims.cli.simulate.Rates;
import io.dynims.cli.simulate.Simulation;
import io.dynims.cli.simulate.SimulationOptions;
import io.dynims.cli.simulate.SimulationSummary;
import io.dynims.cli.simulate.Tick;
import io.dynims.cli.simulate.TraceReader;
import io.dynims.core.config.Program;
import io.dynims.core.config.Quantities;
import io.dynims.core.wire.Policy;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

@Command(
    name = "simulate",
    description = {
      "Try a policy on a trace of a node's memory: the real loop, a simulated tier.",
      "",
      "Prints CSV: " + Tick.HEADER,
      "utilization is what the row's decision saw: (jobBytes + what the tier held before it) /"
          + " memory; a row without a decision has no action. capacityBytes and tierBytes are what"
          + " is in force and what the tier holds at the end of the tick. See docs/simulate.md.",
      ""
    })
final class SimulateCommand implements Callable<Integer> {

  private static final String STANDARD_INPUT = "-";

  /** The default of {@code push.held}. */
  private static final long HELD_MILLIS = 500;

  private final CliContext context;
  private final InputStream in;

  @Spec private CommandSpec spec;

  @Option(
      names = "--trace",
      required = true,
      paramLabel = "FILE",
      description = "CSV: millis,jobBytes,totalBytes; one row a tick. - for standard input.")
  private String trace;

  @Option(
      names = "--policy",
      required = true,
      paramLabel = "FILE",
      description = "A MemoryTier as the controller takes it; decided on whatever its mode says.")
  private Path policy;

  @Option(
      names = "--free-rate",
      paramLabel = "BYTES/S",
      converter = RateConverter.class,
      description = "How fast the tier gives memory back, such as 10GiB/s; at once if not given.")
  private Double freeBytesPerSecond;

  @Option(
      names = "--fill-rate",
      paramLabel = "BYTES/S",
      converter = RateConverter.class,
      description = "How fast the tier fills up; at once if not given.")
  private Double fillBytesPerSecond;

  @Option(
      names = "--delay",
      paramLabel = "TICKS",
      defaultValue = "0",
      description = "Decide on the sample of so many rows ago; ${DEFAULT-VALUE} if not given.")
  private int delayTicks;

  @Option(
      names = "--ack-delay",
      paramLabel = "TICKS",
      defaultValue = "0",
      description = "What is in force is known so many rows later; ${DEFAULT-VALUE} if not given.")
  private int ackDelayTicks;

  @Option(
      names = "--tolerance",
      paramLabel = "PERCENT",
      defaultValue = "0%",
      converter = RatioConverter.class,
      description =
          "Push a smaller change only after half a second, as push.tolerance of the controller;"
              + " ${DEFAULT-VALUE} if not given.")
  private double tolerance;

  @Option(
      names = "--start",
      paramLabel = "BYTES",
      converter = BytesConverter.class,
      description = "The tier's capacity and content at first; the policy's maximum if not given.")
  private Long startBytes;

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
    requireTicks("--delay", delayTicks);
    requireTicks("--ack-delay", ackDelayTicks);
    SimulationSummary summary = new SimulationSummary();
    try (TraceReader rows = open()) {
      Policy document = PolicyDocument.read(policy);
      simulate(new Simulation(document, options()), rows, summary);
    } catch (InputException e) {
      e.getMessage().lines().forEach(line -> context.err().println("dynims: " + line));
      return Program.EXIT_USAGE;
    }
    if (!quiet) {
      summary.lines().forEach(context.err()::println);
    }
    return 0;
  }

  private TraceReader open() throws InputException {
    return trace.equals(STANDARD_INPUT)
        ? new TraceReader(in, "standard input")
        : TraceReader.open(Path.of(trace));
  }

  private void requireTicks(String option, int ticks) {
    if (ticks < 0) {
      throw new ParameterException(spec.commandLine(), option + ": " + ticks + " is below 0");
    }
  }

  private SimulationOptions options() {
    return new SimulationOptions(
        new Rates(orUnlimited(freeBytesPerSecond), orUnlimited(fillBytesPerSecond)),
        delayTicks,
        ackDelayTicks,
        tolerance,
        HELD_MILLIS,
        Optional.ofNullable(startBytes));
  }

  private static double orUnlimited(Double bytesPerSecond) {
    return bytesPerSecond == null ? Double.POSITIVE_INFINITY : bytesPerSecond;
  }

  private void simulate(Simulation simulation, TraceReader rows, SimulationSummary summary)
      throws IOException, InputException {
    PrintWriter out =
        new PrintWriter(new BufferedWriter(new OutputStreamWriter(context.out(), UTF_8)));
    try {
      out.print(Tick.HEADER + "\n");
      simulation.run(
          rows,
          tick -> {
            out.print(tick.toCsv() + "\n");
            summary.add(tick);
          });
    } finally {
      out.flush();
    }
  }

  static final class RateConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      try {
        return Rates.parse(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  static final class RatioConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      try {
        return Quantities.ratio(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }

  static final class BytesConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      try {
        return Quantities.bytes(text);
      } catch (IllegalArgumentException e) {
        throw new TypeConversionException(e.getMessage());
      }
    }
  }
}
