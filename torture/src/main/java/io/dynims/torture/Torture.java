package io.dynims.torture;

import io.dynims.torture.plan.Plan;
import io.dynims.torture.plan.PlanDraw;
import io.dynims.torture.rules.Violation;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code ./dynims torture}. */
@Command(
    name = "torture",
    mixinStandardHelpOptions = true,
    description =
        "Runs the whole loop with faults in virtual time, one run for each seed, and checks what"
            + " must hold after every step. Exits with 1 if a rule does not hold.")
public final class Torture implements Callable<Integer> {

  /** How many seeds run on all processors before the next ones are begun. */
  private static final int BLOCK = 64;

  @Spec private CommandSpec spec;

  @Option(names = "--seed", description = "Runs this seed only.")
  private Long seed;

  @Option(names = "--trace", description = "With --seed: prints each event.")
  private boolean trace;

  @Option(
      names = "--shrink",
      description = "Cuts each run that fails down to few nodes and events.")
  private boolean shrink;

  @Option(
      names = "--seeds",
      defaultValue = "1000",
      description = "How many seeds to run; ${DEFAULT-VALUE} if not given.")
  private long seeds;

  @Option(
      names = "--journal",
      paramLabel = "FILE",
      description =
          "Adds a line to this file: which seeds were run at which commit, and what failed.")
  private Path journal;

  @Option(names = "--from", defaultValue = "1", description = "The first of them; 1 if not given.")
  private long from;

  /** Runs the program. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Torture()).execute(arguments));
  }

  /** The rules that do not hold in the run of a seed. */
  public static Set<String> rulesBrokenBy(long seed) {
    return Run.of(PlanDraw.draw(seed)).violations().keySet();
  }

  @Override
  public Integer call() throws IOException {
    if (seeds < 1) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--seeds: " + seeds + " is below 1");
    }
    PrintWriter out = spec.commandLine().getOut();
    int code = seed == null ? runAll(out) : runOne(out);
    out.flush();
    return code;
  }

  private int runOne(PrintWriter out) {
    Plan plan = PlanDraw.draw(seed);
    Run run = Run.of(plan);
    if (shrink) {
      for (String rule : run.violations().keySet()) {
        Plan least = new Shrinker(rule).shrink(plan);
        out.printf("%s: %d events%n", rule, least.events().size());
        least.nodes().forEach(node -> out.println("  " + node));
        least.events().forEach(event -> out.println("  " + event));
        Run.of(least, trace ? out::println : null);
      }
    } else if (trace) {
      Run.of(plan, out::println);
    }
    run.violations().values().forEach(violation -> out.println(line(seed, violation)));
    return run.violations().isEmpty() ? 0 : 1;
  }

  private int runAll(PrintWriter out) throws IOException {
    Map<String, Integer> counts = new TreeMap<>();
    SeedCoverage coverage = new SeedCoverage();
    SeedJournal lines = journal == null ? null : new SeedJournal(journal);
    PrintWriter err = spec.commandLine().getErr();
    long began = System.nanoTime();
    long toldMinutes = 0;
    for (long next = from; next < from + seeds; next += BLOCK) {
      List<Run> runs =
          LongStream.range(next, Math.min(next + BLOCK, from + seeds))
              .parallel()
              .mapToObj(each -> Run.of(PlanDraw.draw(each)))
              .toList();
      for (int i = 0; i < runs.size(); i++) {
        coverage.add(runs.get(i));
        for (Violation violation : runs.get(i).violations().values()) {
          counts.merge(violation.rule(), 1, Integer::sum);
          report(next + i, runs.get(i), violation, out);
        }
      }
      long minutes = TimeUnit.NANOSECONDS.toMinutes(System.nanoTime() - began);
      if (minutes > toldMinutes) {
        toldMinutes = minutes;
        err.printf("%,d of %,d seeds after %d min%n", next + runs.size() - from, seeds, minutes);
        err.flush();
      }
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    if (lines != null) {
      lines.add(from, from + seeds - 1, seconds, counts);
    }
    coverage.print(out);
    counts.forEach((rule, count) -> out.printf("failed in %,d seeds: %s%n", count, rule));
    out.printf(
        "%,d seeds in %.1f s, %.0f simulated minutes of nodes a second%n",
        seeds, seconds, coverage.nodeMinutes() / seconds);
    return counts.isEmpty() ? 0 : 1;
  }

  private void report(long ofSeed, Run run, Violation violation, PrintWriter out) {
    out.println(line(ofSeed, violation));
    if (shrink) {
      out.println("  " + PlanText.of(new Shrinker(violation.rule()).shrink(run.plan())));
    }
    out.flush();
  }

  static String line(long seed, Violation violation) {
    return "seed %d: %s at %.2f s: %s"
        .formatted(seed, violation.rule(), violation.millis() / 1e3, violation.text());
  }
}
