package io.dynims.experiments.bench.control;

import io.dynims.cli.simulate.TraceReader;
import io.dynims.cli.stack.StackException;
import io.dynims.cli.stack.StackSettings;
import io.dynims.cli.stack.StackStore;
import io.dynims.cli.stack.Text;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Target;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.demo.AlluxioFiles;
import io.dynims.experiments.demo.Await;
import io.dynims.experiments.demo.DataSet;
import io.dynims.experiments.demo.LoadProcess;
import io.dynims.experiments.demo.LoadProfile;
import io.dynims.experiments.demo.LoopRecorder;
import io.dynims.experiments.demo.MemorySampler;
import io.dynims.experiments.demo.NodeBudget;
import io.dynims.experiments.demo.NodeMemoryReader;
import io.dynims.experiments.demo.Readers;
import io.dynims.experiments.demo.Sizing;
import io.dynims.experiments.demo.TierLoad;
import io.dynims.experiments.demo.ValueSet;
import io.dynims.simulation.TraceRow;
import java.io.PrintStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Runs each load under each law on a whole local stack. The laws take turns, in the opposite order
 * in every second repetition, so that what changes on the machine meanwhile affects both.
 */
public final class ControlBench {

  private static final long SEED = 20_261_121;
  private static final String NODE = "bench-1";
  private static final long SAMPLE_MILLIS = 10;

  /** How long a load may take beyond its profile. */
  private static final long LATE_MILLIS = 30_000;

  /** How long the records of a run may take to arrive. */
  private static final long RECORDS_MILLIS = 3_000;

  private final BenchStack stack;
  private final ControlOptions options;
  private final PrintStream progress;
  private final Clock clock = Clock.systemUTC();

  /** A benchmark on a stack that is not running. */
  public ControlBench(BenchStack stack, ControlOptions options, PrintStream progress) {
    this.stack = stack;
    this.options = options;
    this.progress = progress;
  }

  /**
   * Starts the stack and measures.
   *
   * @throws Exception if a part of the stack does not answer; the message says which
   */
  public Findings run() throws Exception {
    stack.up(
        List.of(
            "store=" + options.store().key(),
            "node.name=" + NODE,
            "collectd.memory.plugin=dynims",
            "policy.mode=Enforce",
            "loop.realtime=auto"));
    StackSettings settings = stack.settings();
    long bytes = Sizing.of(0, settings.tierMaxBytes(), settings.threshold()).dataSetBytes();
    return switch (options.store()) {
      case Alluxio -> {
        try (AlluxioFiles alluxio =
            new AlluxioFiles("127.0.0.1", settings.port("alluxio.master.port"))) {
          yield run(settings, new DataSet(alluxio.files(), SEED, bytes));
        }
      }
      case Redis, Memcached -> run(settings, ValueSet.of(settings, SEED, bytes));
      case MpiIo -> throw new IllegalArgumentException("the laws are not measured on MPI-IO");
    };
  }

  private Findings run(StackSettings settings, TierLoad data) throws Exception {
    progress.println("writing a data set of " + Text.bytes((long) data.items() * data.itemBytes()));
    data.ensure(done -> {});
    try (Readers readers = new Readers(data, SEED);
        LoopRecorder loop = new LoopRecorder(stack.clients().kafkaProperties(), NODE);
        MemorySampler node =
            new MemorySampler(clock, SAMPLE_MILLIS, () -> NodeMemoryReader.now().usedBytes())) {
      List<ControlRun> runs = new Session(settings, data, readers, loop, node).measureAll();
      boolean realTime = stack.stack().isRealTime();
      return new ControlFindings(settings.tierMaxBytes(), options, realTime, runs).findings();
    }
  }

  private List<TraceRow> hpcc() throws Exception {
    Path file = stack.home().project().resolve("experiments/traces/hpcc.csv");
    try (TraceReader reader = TraceReader.open(file)) {
      return reader.rest();
    }
  }

  /** The runs on the stack. */
  private final class Session {

    private final long tierMaxBytes;
    private final MemorySampler.Source tier;
    private final Readers readers;
    private final LoopRecorder loop;
    private final MemorySampler node;
    private final StartingPoint startingPoint;
    private final List<TraceRow> hpcc = hpcc();

    Session(
        StackSettings settings,
        TierLoad data,
        Readers readers,
        LoopRecorder loop,
        MemorySampler node)
        throws Exception {
      this.tierMaxBytes = settings.tierMaxBytes();
      this.readers = readers;
      this.loop = loop;
      this.tier = tier(settings);
      this.node = node;
      NodeBudget budget =
          new NodeBudget(
              stack.clients().tier(),
              stack.home().policies().resolve(options.store().policyFile()),
              loop,
              tierMaxBytes);
      this.startingPoint =
          new StartingPoint(tierMaxBytes, budget, loop, node, data, readers, progress);
    }

    /** Alluxio's data are files; what another store holds is known from its acks. */
    private MemorySampler.Source tier(StackSettings settings) throws Exception {
      if (options.store() != StackStore.Alluxio) {
        return () -> loop.lastAck().map(Ack::usedBytes).orElse(0L);
      }
      FileStore tmpfs = Files.getFileStore(stack.home().tier(settings.tierParent()));
      return () -> tmpfs.getTotalSpace() - tmpfs.getUnallocatedSpace();
    }

    List<ControlRun> measureAll() throws Exception {
      List<ControlRun> runs = new ArrayList<>();
      TimeLeft left = new TimeLeft(clock, plannedMillis());
      for (int repetition = 1; repetition <= options.repetitions(); repetition++) {
        List<LawType> laws = new ArrayList<>(options.laws());
        if (repetition % 2 == 0) {
          Collections.reverse(laws);
        }
        for (ControlLoad load : options.loads()) {
          for (LawType law : laws) {
            progress.printf(
                "%s, %s, repetition %d of %d, %s%n",
                load.key(), law, repetition, options.repetitions(), left.text());
            runs.add(measure(law, load, repetition));
            left.done(profile(load, Sizing.of(0, tierMaxBytes, 1)).durationMillis());
          }
        }
      }
      return runs;
    }

    private long plannedMillis() {
      Sizing any = Sizing.of(0, tierMaxBytes, 1);
      long millis =
          options.loads().stream().mapToLong(load -> profile(load, any).durationMillis()).sum();
      return millis * options.laws().size() * options.repetitions();
    }

    private LoadProfile profile(ControlLoad load, Sizing sizing) {
      return load.profile(new ControlLoad.Node(tierMaxBytes, sizing, hpcc), options.quick());
    }

    private ControlRun measure(LawType law, ControlLoad load, int repetition) throws Exception {
      long wrong = readers.corrupt() + readers.failed();
      StartingPoint.Start start = startingPoint.reach(law, load);
      LoadProfile profile = profile(load, start.sizing());
      long correct = readers.ok();
      try (MemorySampler held = new MemorySampler(clock, SAMPLE_MILLIS, tier);
          LoadProcess process = new LoadProcess(profile)) {
        boolean ended =
            Await.until(
                profile.durationMillis() + LATE_MILLIS,
                StartingPoint.TICK_MILLIS,
                () -> {
                  startingPoint.keepFull(start);
                  return !process.isAlive();
                });
        List<LoadProcess.Report> reports = process.reports();
        if (!ended || reports.isEmpty()) {
          throw new StackException("the load " + load.key() + " did not run to its end");
        }
        long beginMillis = reports.get(0).millis();
        long endMillis = beginMillis + profile.durationMillis();
        awaitRecords(endMillis);
        return new ControlRun(
            law,
            load,
            repetition,
            start.sizing().budgetBytes(),
            load.threshold(),
            beginMillis + ControlLoad.LEAD_MILLIS,
            endMillis,
            node.trace(),
            held.trace(),
            reports,
            loop.targets(beginMillis, endMillis),
            loop.acks(beginMillis, endMillis),
            readers.ok() - correct,
            readers.corrupt() + readers.failed() - wrong,
            start.reached());
      }
    }

    private void awaitRecords(long endMillis) throws Exception {
      boolean arrived =
          Await.until(
              RECORDS_MILLIS,
              StartingPoint.TICK_MILLIS,
              () -> loop.lastTarget().map(Target::sampledMillis).orElse(0L) > endMillis);
      if (!arrived) {
        progress.println("  the last decisions did not arrive");
      }
    }
  }
}
