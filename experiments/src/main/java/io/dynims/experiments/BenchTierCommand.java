package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.core.config.Quantities;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.tier.AccessKind;
import io.dynims.experiments.bench.tier.StudyEffort;
import io.dynims.experiments.bench.tier.StudyOptions;
import io.dynims.experiments.bench.tier.TierStudy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "tier",
    description =
        "Measure how fast the tier is by each interface to it, at rest and while it is resized.",
    footer = {
      "",
      "What has been measured is not measured again, except with --quick: results are in study.jsonl"
          + " of the stack's home. Needs root and mpiio-cache/build."
    })
final class BenchTierCommand implements Callable<Integer> {

  private static final int MOST_PROCESSES = 8;
  private static final long BLOCK_UNIT = 4 << 10;
  private static final long MOST_BLOCK_BYTES = 64 << 20;

  private final CliContext context;

  @Mixin private final BenchOutput output = new BenchOutput();
  @Spec private CommandSpec spec;

  @Option(
      names = "--interface",
      paramLabel = "NAME",
      split = ",",
      description = "Of ${COMPLETION-CANDIDATES}. Default: all.")
  private List<AccessKind> kinds = List.of(AccessKind.values());

  @Option(
      names = "--blocks",
      paramLabel = "SIZE",
      split = ",",
      description =
          "What one operation reads or writes. Default: 16Ki,100Ki,1Mi,10Mi; with --quick 16Ki,1Mi.")
  private List<String> blocks = List.of();

  @Option(
      names = "--processes",
      paramLabel = "N",
      split = ",",
      description = "Processes at once. Default: 1,2,4,8; with --quick 1.")
  private List<Integer> processes = List.of();

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      description = "The tier's maximum. Default: 1Gi; with --quick 256Mi.")
  private String size;

  @Option(
      names = "--rate",
      paramLabel = "MB/S",
      defaultValue = "75",
      description = "Rate of the under store. Default: ${DEFAULT-VALUE}.")
  private int rate;

  @Option(
      names = "--latency",
      paramLabel = "MICROS",
      defaultValue = "200",
      description = "Latency of each of its accesses. Default: ${DEFAULT-VALUE}.")
  private int latency;

  @Option(names = "--quick", description = "Few cells and short measurements, to try the study.")
  private boolean quick;

  BenchTierCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    StudyOptions options = options();
    Path built = context.home().project().resolve("mpiio-cache/target");
    Path journal = context.home().state().resolve(quick ? "study-quick.jsonl" : "study.jsonl");
    if (quick) {
      Files.deleteIfExists(journal);
    }
    try (BenchStack stack =
        new BenchStack(context.home(), context.environment(), false, context.err())) {
      Findings findings = new TierStudy(stack, built, options, journal, context.err()).run();
      BenchCommand.report(output, "tier", findings, spec, context);
    }
    return 0;
  }

  private StudyOptions options() {
    List<Integer> counts =
        !processes.isEmpty() ? processes : quick ? List.of(1) : List.of(1, 2, 4, 8);
    counts.forEach(each -> BenchCommand.check(spec, "--processes", each, 1, MOST_PROCESSES));
    BenchCommand.check(spec, "--rate", rate, 1, 100_000);
    BenchCommand.check(spec, "--latency", latency, 0, 1_000_000);
    List<String> sizes =
        !blocks.isEmpty()
            ? blocks
            : quick ? List.of("16Ki", "1Mi") : List.of("16Ki", "100Ki", "1Mi", "10Mi");
    return new StudyOptions(
        kinds,
        sizes.stream().map(this::blockBytes).toList(),
        counts,
        quick ? StudyEffort.QUICK : StudyEffort.FULL,
        bytes("--size", size != null ? size : quick ? "256Mi" : "1Gi"),
        rate,
        latency);
  }

  private int blockBytes(String text) {
    long bytes = bytes("--blocks", text);
    if (bytes < BLOCK_UNIT || bytes > MOST_BLOCK_BYTES || bytes % BLOCK_UNIT != 0) {
      throw new ParameterException(
          spec.commandLine(), "--blocks: " + text + " is not a multiple of 4 KiB up to 64 MiB");
    }
    return (int) bytes;
  }

  private long bytes(String option, String text) {
    try {
      return Quantities.bytes(text);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), option + ": " + e.getMessage(), e);
    }
  }
}
