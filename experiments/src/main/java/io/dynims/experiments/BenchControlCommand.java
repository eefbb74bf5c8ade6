package io.dynims.experiments;

import static java.util.stream.Collectors.joining;

import io.dynims.cli.CliContext;
import io.dynims.cli.stack.StackStore;
import io.dynims.core.law.LawType;
import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.control.ControlBench;
import io.dynims.experiments.bench.control.ControlLoad;
import io.dynims.experiments.bench.control.ControlOptions;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "control",
    description =
        "Measure the laws side by side: how far loads take the node above its threshold, and what the"
            + " tier loses.",
    footer = {
      "",
      "Each load runs under each law in turns, while readers refill the tier and check every byte.",
      "Loads: ramp (the demo's), ramp98 (at a threshold of 0.98), step, sawtooth, half-empty (a burst"
          + " while the tier holds a third), noise, hpcc (a part of experiments/traces/hpcc.csv).",
      "Redis and memcached run all but half-empty, which needs a tier that can be emptied.",
      "Everything with three repetitions takes about half an hour for each store."
    })
final class BenchControlCommand implements Callable<Integer> {

  private static final List<StackStore> STORES =
      List.of(StackStore.Alluxio, StackStore.Redis, StackStore.Memcached);

  private static final int MAX_REPETITIONS = 100;
  private static final int DEFAULT_REPETITIONS = 3;

  private final CliContext context;

  @Mixin private final BenchOutput output;
  @Spec private CommandSpec spec;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description = "The tier: alluxio, redis or memcached. Default: alluxio.")
  private String store = StackStore.Alluxio.key();

  @Option(
      names = "--laws",
      paramLabel = "LAW",
      split = ",",
      description = "Laws to measure: ${COMPLETION-CANDIDATES}. Default: all.")
  private List<LawType> laws = List.of(LawType.values());

  @Option(
      names = "--loads",
      paramLabel = "LOAD",
      split = ",",
      description = "Loads to measure, separated by commas. Default: all.")
  private List<String> loads;

  @Option(
      names = "--repetitions",
      paramLabel = "N",
      description = "Runs of each load under each law. Default: 3, with --quick 1.")
  private Integer repetitions;

  @Option(names = "--quick", description = "Shorten the loads, to try something out.")
  private boolean quick;

  BenchControlCommand(CliContext context) {
    this.context = context;
    this.output = new BenchOutput(context.home().project());
  }

  @Override
  public Integer call() throws Exception {
    ControlOptions options = options();
    try (BenchStack stack =
        new BenchStack(context.home(), context.environment(), false, context.err())) {
      Findings findings = new ControlBench(stack, options, context.err()).run();
      return BenchCommand.report(output, page(options), findings, spec, context);
    }
  }

  private static String page(ControlOptions options) {
    boolean usual = options.store() == StackStore.Alluxio;
    return usual ? "control" : "control-" + options.store().key();
  }

  private StackStore store() {
    return STORES.stream()
        .filter(each -> each.key().equals(store))
        .findFirst()
        .orElseThrow(
            () ->
                new ParameterException(
                    spec.commandLine(),
                    "--store: '"
                        + store
                        + "' is not one of "
                        + STORES.stream().map(StackStore::key).collect(joining(", "))));
  }

  private ControlOptions options() {
    int defaultRepetitions = quick ? 1 : DEFAULT_REPETITIONS;
    int runs = repetitions == null ? defaultRepetitions : repetitions;
    BenchCommand.check(spec, "--repetitions", runs, 1, MAX_REPETITIONS);
    StackStore chosenStore = store();
    try {
      List<ControlLoad> chosen =
          loads == null
              ? Arrays.stream(ControlLoad.values())
                  .filter(each -> each.runsOn(chosenStore))
                  .toList()
              : loads.stream().distinct().map(ControlLoad::of).toList();
      return new ControlOptions(
          chosenStore, laws.stream().distinct().toList(), chosen, runs, quick);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--loads: " + e.getMessage(), e);
    }
  }
}
