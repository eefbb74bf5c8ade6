package io.dynims.experiments;

import static java.util.Locale.ROOT;

import io.dynims.cli.CliContext;
import io.dynims.core.quantity.Quantities;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.BenchTier;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.ResultJournal;
import io.dynims.experiments.bench.tier.AccessKind;
import io.dynims.experiments.bench.tier.FuseMount;
import io.dynims.experiments.bench.tier.StudyEffort;
import io.dynims.experiments.bench.tier.StudyOptions;
import io.dynims.experiments.bench.tier.StudyPart;
import io.dynims.experiments.bench.tier.TierStudy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine.ArgGroup;
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
      "Everything takes about two hours; --estimate tells how long what is chosen takes.",
      "What has been measured is not measured again, except with --quick: results are in study-*.jsonl"
          + " of the stack's home, a file for each set of options. Needs root and mpiio-cache/build."
    })
final class BenchTierCommand implements Callable<Integer> {

  private static final int MOST_PROCESSES = 8;
  private static final int MOST_NODES = 4;
  private static final long DEFAULT_BLOCK_BYTES = 16 << 20;
  private static final long LEAST_BLOCK_SIZE = 1 << 20;
  private static final long BLOCK_UNIT = 4 << 10;
  private static final long MOST_BLOCK_BYTES = 64 << 20;

  private final CliContext context;

  @Mixin private final BenchOutput output;
  @Mixin private final BenchTier tier = new BenchTier();
  @Spec private CommandSpec spec;

  @Option(
      names = "--interface",
      paramLabel = "NAME",
      split = ",",
      description = "Of ${COMPLETION-CANDIDATES}. Default: all.")
  private List<AccessKind> kinds = List.of(AccessKind.values());

  @Option(
      names = "--parts",
      paramLabel = "PART",
      split = ",",
      description = "Of ${COMPLETION-CANDIDATES}. Default: all; with --quick Rest,Resizing.")
  private List<StudyPart> parts = List.of();

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
      description =
          "Processes at once. Default: 1,2,4,8, of which slow interfaces have the fewest and the most;"
              + " with --quick 1.")
  private List<Integer> processes = List.of();

  @Option(
      names = "--nodes",
      paramLabel = "N",
      split = ",",
      description = "Nodes at once, which are network namespaces. Default: 1,2,4.")
  private List<Integer> nodes = List.of(1, 2, 4);

  @Option(
      names = "--block-size",
      paramLabel = "SIZE",
      defaultValue = "16Mi",
      description = "Alluxio's alluxio.block.size. Default: ${DEFAULT-VALUE}.")
  private String blockSize;

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

  @Option(
      names = "--mount-options",
      paramLabel = "OPTIONS",
      defaultValue = FuseMount.USUAL_OPTIONS,
      description = "Options of Alluxio's FUSE mount. Default: ${DEFAULT-VALUE}.")
  private String mountOptions;

  @Option(
      names = "--read-ahead",
      paramLabel = "SIZE",
      description =
          "How much the kernel requests of the FUSE mount ahead of a reader in sequence."
              + " Default: the kernel's, 128Ki.")
  private String readAhead = "";

  @ArgGroup(exclusive = true)
  private Effort effort = new Effort();

  @Option(
      names = "--plant-wrong-byte",
      hidden = true,
      description = "Make a byte of each file that is read wrong: the study must fail.")
  private boolean plantWrongByte;

  @Option(names = "--estimate", description = "Only tell how long the study takes.")
  private boolean estimate;

  private static final class Effort {
    @Option(names = "--quick", description = "Few cells and short measurements, to try the study.")
    private boolean quick;

    @Option(
        names = "--long",
        description =
            "Ten repetitions of every cell, and every number of processes of slow interfaces.")
    private boolean longer;
  }

  BenchTierCommand(CliContext context) {
    this.context = context;
    this.output = new BenchOutput(context.home().project());
  }

  @Override
  public Integer call() throws Exception {
    StudyOptions options = options();
    if (estimate) {
      context.out().println(TierStudy.estimate(options));
      return 0;
    }
    Path built = context.home().project().resolve("mpiio-cache/target");
    Path journal = context.home().state().resolve(options.journalName(tier.name("study")));
    if (effort.quick) {
      Files.deleteIfExists(journal);
    }
    try (BenchStack stack =
        new BenchStack(context.home(), context.environment(), tier.hugePages(), context.err())) {
      String tree = ResultJournal.tree(context.home().project());
      Findings findings = new TierStudy(stack, built, options, journal, tree, context.err()).run();
      return BenchCommand.report(output, tier.name(name(options)), findings, spec, context);
    }
  }

  /** Results of some parts, and those with other blocks of Alluxio, are beside those of all. */
  private static String name(StudyOptions options) {
    StringBuilder name = new StringBuilder("tier");
    if (!options.parts().containsAll(List.of(StudyPart.values()))) {
      Stream.of(StudyPart.values())
          .filter(options.parts()::contains)
          .forEach(part -> name.append('-').append(part.name().toLowerCase(ROOT)));
    }
    if (options.alluxioBlockBytes() != DEFAULT_BLOCK_BYTES) {
      name.append("-block-").append(options.alluxioBlockBytes() >> 20).append("MiB");
    }
    if (!options.mount().isUsual()) {
      name.append("-mount-").append(options.mount().fileName());
    }
    if (options.plantWrongByte()) {
      name.append("-planted");
    }
    return name.toString();
  }

  private StudyOptions options() {
    boolean quick = effort.quick;
    List<Integer> counts =
        !processes.isEmpty() ? processes : quick ? List.of(1) : List.of(1, 2, 4, 8);
    nodes.forEach(each -> BenchCommand.check(spec, "--nodes", each, 1, MOST_NODES));
    counts.forEach(each -> BenchCommand.check(spec, "--processes", each, 1, MOST_PROCESSES));
    BenchCommand.check(spec, "--rate", rate, 1, 100_000);
    BenchCommand.check(spec, "--latency", latency, 0, 1_000_000);
    List<String> sizes =
        !blocks.isEmpty()
            ? blocks
            : quick ? List.of("16Ki", "1Mi") : List.of("16Ki", "100Ki", "1Mi", "10Mi");
    List<StudyPart> wanted =
        !parts.isEmpty()
            ? parts
            : quick ? List.of(StudyPart.Rest, StudyPart.Resizing) : List.of(StudyPart.values());
    long alluxioBlockBytes = bytes("--block-size", blockSize);
    if (alluxioBlockBytes < LEAST_BLOCK_SIZE) {
      throw new ParameterException(
          spec.commandLine(), "--block-size: " + blockSize + " is less than 1 MiB");
    }
    return new StudyOptions(
        wanted,
        kinds,
        sizes.stream().map(each -> blockBytes("--blocks", each)).toList(),
        counts,
        nodes,
        quick ? StudyEffort.QUICK : effort.longer ? StudyEffort.LONG : StudyEffort.FULL,
        bytes("--size", size != null ? size : quick ? "256Mi" : "1Gi"),
        alluxioBlockBytes,
        rate,
        latency,
        mount(),
        plantWrongByte);
  }

  private FuseMount mount() {
    int readAheadBytes = readAhead.isEmpty() ? 0 : blockBytes("--read-ahead", readAhead);
    try {
      return new FuseMount(mountOptions, readAheadBytes);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--mount-options: " + e.getMessage(), e);
    }
  }

  private int blockBytes(String option, String text) {
    long bytes = bytes(option, text);
    if (bytes < BLOCK_UNIT || bytes > MOST_BLOCK_BYTES || bytes % BLOCK_UNIT != 0) {
      throw new ParameterException(
          spec.commandLine(), option + ": " + text + " is not a multiple of 4 KiB up to 64 MiB");
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
