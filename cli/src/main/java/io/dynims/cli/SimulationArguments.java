package io.dynims.cli;

import io.dynims.core.law.MemorySize;
import io.dynims.core.quantity.Quantities;
import io.dynims.simulation.Rates;
import io.dynims.simulation.SimulatedHint;
import io.dynims.simulation.SimulationOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** The options of {@code simulate} that describe the tier and its way to the loop. */
final class SimulationArguments {

  /** The default of {@code push.held}. */
  private static final long HELD_MILLIS = 500;

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

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
      names = "--demand",
      paramLabel = "BYTES|PERCENT",
      converter = DemandConverter.class,
      description =
          "What the tier's data set would occupy, also in percent of M; without bound if not given."
              + " A column demandBytes of the trace comes first.")
  private MemorySize demand = SimulationOptions.UNBOUNDED;

  @Option(
      names = "--locked",
      paramLabel = "BYTES",
      defaultValue = "0",
      converter = BytesConverter.class,
      description =
          "How much of what the tier holds cannot be evicted; ${DEFAULT-VALUE} if not given.")
  private long lockedBytes;

  @Option(
      names = "--start",
      paramLabel = "BYTES",
      converter = BytesConverter.class,
      description = "The tier's capacity at first; the policy's maximum if not given.")
  private Long startBytes;

  @Option(
      names = "--start-used",
      paramLabel = "BYTES",
      converter = BytesConverter.class,
      description = "The tier's content at first; all that fits and is asked for if not given.")
  private Long startUsedBytes;

  @Option(
      names = "--answer-within",
      paramLabel = "TIME",
      defaultValue = "0ms",
      converter = MillisConverter.class,
      description =
          "How long the tier's adapter waits for memory to be freed before it answers, such as 300ms"
              + " for Redis; ${DEFAULT-VALUE} if not given.")
  private long answerMillis;

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
      names = "--loss",
      paramLabel = "PERCENT",
      defaultValue = "0%",
      converter = RatioConverter.class,
      description = "Lose this share of the samples; ${DEFAULT-VALUE} if not given.")
  private double lossRatio;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Which samples get lost; ${DEFAULT-VALUE} if not given.")
  private long seed;

  @Option(
      names = "--used-from-acks",
      description =
          "Samples lack what the tier holds, as collectd's own plugin; only acks tell it.")
  private boolean usedFromAcks;

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
      names = "--report-by-exception",
      arity = "0..1",
      paramLabel = "PERCENT",
      fallbackValue = "0.1%",
      converter = RatioConverter.class,
      description =
          "The node sends a sample only if it differs from the last one sent by more than this part"
              + " of M, 0.1%% if not given, or once in 500 ms.")
  private Double reportTolerance;

  @Option(
      names = "--hint",
      paramLabel = "at=TIME,bytes=BYTES[,for=TIME]",
      converter = HintConverter.class,
      description =
          "At this time after the first row a job announces that it is about to take so much memory;"
              + " for 10m if not given. May be repeated.")
  private List<SimulatedHint> hints = new ArrayList<>();

  /**
   * The options of the simulation.
   *
   * @throws ParameterException if one is out of bounds
   */
  SimulationOptions options() {
    requireTicks("--delay", delayTicks);
    requireTicks("--ack-delay", ackDelayTicks);
    Rates rates = new Rates(orUnlimited(freeBytesPerSecond), orUnlimited(fillBytesPerSecond));
    return new SimulationOptions(
        new SimulationOptions.Tier(
            rates, demand, lockedBytes, startBytes, startUsedBytes, answerMillis),
        new SimulationOptions.Link(delayTicks, ackDelayTicks, lossRatio, seed, usedFromAcks),
        tolerance,
        HELD_MILLIS,
        hints,
        reportTolerance);
  }

  private void requireTicks(String option, int ticks) {
    if (ticks < 0) {
      throw new ParameterException(spec.commandLine(), option + ": " + ticks + " is below 0");
    }
  }

  private static double orUnlimited(Double bytesPerSecond) {
    return bytesPerSecond == null ? Double.POSITIVE_INFINITY : bytesPerSecond;
  }

  private static <T> T converted(String text, Function<String, T> parser) {
    try {
      return parser.apply(text);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }

  static final class RateConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return converted(text, Rates::parse);
    }
  }

  static final class RatioConverter implements ITypeConverter<Double> {
    @Override
    public Double convert(String text) {
      return converted(text, Quantities::ratio);
    }
  }

  static final class BytesConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return converted(text, Quantities::bytes);
    }
  }

  static final class MillisConverter implements ITypeConverter<Long> {
    @Override
    public Long convert(String text) {
      return converted(text, Quantities::millis);
    }
  }

  static final class HintConverter implements ITypeConverter<SimulatedHint> {
    @Override
    public SimulatedHint convert(String text) {
      return converted(text, SimulatedHint::parse);
    }
  }

  static final class DemandConverter implements ITypeConverter<MemorySize> {
    @Override
    public MemorySize convert(String text) {
      return converted(text, Quantities::memorySize);
    }
  }
}
