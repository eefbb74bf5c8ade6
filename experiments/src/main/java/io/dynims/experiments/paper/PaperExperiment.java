package io.dynims.experiments.paper;

import io.dynims.cli.CliContext;
import io.dynims.cli.stack.Text;
import io.dynims.experiments.bench.ResultJournal;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Makes the runs that have not been made yet, and tells how long the rest may take. */
public final class PaperExperiment {

  private final CliContext context;
  private final PaperScale scale;
  private final PaperData data;
  private final ResultJournal<RunResult> journal;
  private final NodeLoad hpcc;

  /** An experiment beside a replay of HPCC, whose data and results are below the stack's home. */
  public PaperExperiment(CliContext context, PaperScale scale, HpccLoad hpcc) throws IOException {
    this(context, scale, (NodeLoad) hpcc);
  }

  /**
   * An experiment whose data and results are below the stack's home.
   *
   * @param hpcc the load that plays HPCC
   */
  PaperExperiment(CliContext context, PaperScale scale, NodeLoad hpcc) throws IOException {
    Path home = context.home().state().resolve("paper");
    this.context = context;
    this.scale = scale;
    this.data = new PaperData(home, context.home().project().resolve("experiments/spark/target"));
    this.journal =
        new ResultJournal<>(
            home.resolve("runs.jsonl"),
            ResultJournal.tree(context.home().project()),
            RunResult.class,
            RunResult::id);
    if (journal.others() > 0) {
      context
          .err()
          .printf("%d runs of other commits do not count, and are made again%n", journal.others());
    }
    this.hpcc = hpcc;
  }

  /** The load without anything beside it; made if it is missing. */
  public RunResult loadAlone() throws Exception {
    String id = "Alone/" + hpcc.name();
    if (journal.find(id).isEmpty()) {
      context.err().println("HPCC alone");
      journal.add(PaperRunner.loadAlone(id, scale, hpcc));
    }
    return journal.find(id).orElseThrow();
  }

  /** The results of these runs, in their order; runs that are missing are made. */
  public Map<RunSpec, RunResult> run(List<RunSpec> specs) throws Exception {
    List<RunSpec> missing =
        specs.stream().filter(spec -> journal.find(spec.id()).isEmpty()).toList();
    long beginNanos = System.nanoTime();
    for (int i = 0; i < missing.size(); i++) {
      RunSpec spec = missing.get(i);
      String left =
          i == 0
              ? ""
              : ", about "
                  + Text.millis(
                      (System.nanoTime() - beginNanos) / 1_000_000 / i * (missing.size() - i))
                  + " left";
      context.err().printf("run %d of %d%s: %s%n", i + 1, missing.size(), left, spec.id());
      Path folder = data.ensure(spec.dataBytes());
      RunResult result =
          new PaperRunner(context, scale.withData(spec.dataBytes()), folder, hpcc).run(spec);
      journal.add(result);
      context
          .err()
          .printf(
              "  total %.1f s, hit ratio %.2f%n",
              result.totalMillis() / 1e3, result.hitRatio(spec.dataBytes()));
    }
    Map<RunSpec, RunResult> results = new LinkedHashMap<>();
    specs.forEach(spec -> results.put(spec, journal.find(spec.id()).orElseThrow()));
    return results;
  }
}
