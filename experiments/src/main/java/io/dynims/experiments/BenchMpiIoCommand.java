package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.core.quantity.Quantities;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.mpiio.MpiIoBench;
import io.dynims.experiments.bench.mpiio.MpiIoOptions;
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
    name = "mpiio",
    description =
        "Compare the cache under MPI-IO with MPI-IO alone: chunks of all sizes, a search in a map, a"
            + " random walk.")
final class BenchMpiIoCommand implements Callable<Integer> {

  private static final List<String> MPIS = List.of("mpich", "openmpi");
  private static final int MOST_RANKS = 16;

  private final CliContext context;

  @Mixin private final BenchOutput output;
  @Spec private CommandSpec spec;

  @Option(
      names = "--mpi",
      paramLabel = "NAME",
      defaultValue = "mpich",
      description = "mpich or openmpi. Default: ${DEFAULT-VALUE}.")
  private String mpi;

  @Option(
      names = "--ranks",
      paramLabel = "N",
      split = ",",
      defaultValue = "2,4",
      description = "Numbers of ranks. Default: ${DEFAULT-VALUE}.")
  private List<Integer> ranks;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      split = ",",
      defaultValue = "1,2,4",
      description = "Numbers of nodes, each with its own cache. Default: ${DEFAULT-VALUE}.")
  private List<Integer> nodes;

  @Option(
      names = "--size",
      paramLabel = "SIZE",
      defaultValue = "64Mi",
      description = "Size of the file. Default: ${DEFAULT-VALUE}.")
  private String size;

  @Option(
      names = "--rate",
      paramLabel = "MB/S",
      defaultValue = "75",
      description = "Rate of the slow file system. Default: ${DEFAULT-VALUE}.")
  private int rate;

  @Option(
      names = "--latency",
      paramLabel = "MICROS",
      defaultValue = "200",
      description = "Latency of each of its accesses. Default: ${DEFAULT-VALUE}.")
  private int latency;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      defaultValue = "3",
      description = "Runs of each measurement. Default: ${DEFAULT-VALUE}.")
  private int repetitions;

  BenchMpiIoCommand(CliContext context) {
    this.context = context;
    this.output = new BenchOutput(context.home().project());
  }

  @Override
  public Integer call() throws Exception {
    MpiIoOptions options = options();
    Path built = context.home().project().resolve("mpiio-cache/target");
    Path scratch = context.home().state().resolve("bench-mpiio");
    MpiIoBench bench = new MpiIoBench(built, scratch, options, context.err());
    String name = mpi.equals("mpich") ? "mpiio" : "mpiio-" + mpi;
    return BenchCommand.report(output, name, bench.run(), spec, context);
  }

  private MpiIoOptions options() {
    if (!MPIS.contains(mpi)) {
      throw new ParameterException(
          spec.commandLine(), "--mpi: " + mpi + " is neither mpich nor openmpi");
    }
    ranks.forEach(each -> BenchCommand.check(spec, "--ranks", each, 1, MOST_RANKS));
    nodes.forEach(each -> BenchCommand.check(spec, "--nodes", each, 1, MOST_RANKS));
    BenchCommand.check(spec, "--rate", rate, 1, 100_000);
    BenchCommand.check(spec, "--latency", latency, 0, 1_000_000);
    BenchCommand.check(spec, "--repetitions", repetitions, 1, 100);
    try {
      return new MpiIoOptions(
          mpi, ranks, nodes, Quantities.bytes(size), rate, latency, repetitions);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--size: " + e.getMessage(), e);
    }
  }
}
