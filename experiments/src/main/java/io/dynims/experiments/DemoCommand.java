package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.cli.stack.LocalStack;
import io.dynims.cli.stack.StackClients;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.experiments.demo.AlluxioFiles;
import io.dynims.experiments.demo.DataSet;
import io.dynims.experiments.demo.Demo;
import io.dynims.experiments.demo.DemoNode;
import io.dynims.experiments.demo.DemoSettings;
import io.dynims.experiments.demo.MpiFile;
import io.dynims.experiments.demo.Sizing;
import io.dynims.experiments.demo.TierLoad;
import io.dynims.experiments.demo.ValueSet;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "demo",
    description =
        "Start the stack, run a memory burst against a full tier, and show what the tier does.")
final class DemoCommand implements Callable<Integer> {

  /** Runs the demo on a running stack and returns the exit code. */
  interface Run {
    int run(CliContext context, StackSettings settings) throws Exception;
  }

  private static final long SEED = 20_261_121;

  private final CliContext context;
  private final Run run;

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description =
          "The tier: alluxio, redis, memcached or mpiio. Default: that of the running stack, or"
              + " else the setting store (./dynims up --settings).")
  private Optional<String> store = Optional.empty();

  @Option(names = "--down", description = "Stop the stack afterwards.")
  private boolean down;

  DemoCommand(CliContext context) {
    this(context, DemoCommand::onStack);
  }

  DemoCommand(CliContext context, Run run) {
    this.context = context;
    this.run = run;
  }

  @Override
  public Integer call() throws Exception {
    StackSettings settings = context.settingsToStart(List.of(), store);
    LocalStack stack = context.stack(settings);
    stack.up(List.of());
    try {
      return run.run(context, settings);
    } finally {
      if (down) {
        stack.down();
      }
    }
  }

  private static int onStack(CliContext context, StackSettings settings) throws Exception {
    long bytes = Sizing.of(0, settings.tierMaxBytes(), settings.threshold()).dataSetBytes();
    return switch (settings.store()) {
      case Alluxio -> {
        int port = settings.port("alluxio.master.port");
        try (AlluxioFiles alluxio = new AlluxioFiles("127.0.0.1", port)) {
          yield run(context, settings, new DataSet(alluxio.files(), SEED, bytes));
        }
      }
      case Redis, Memcached -> run(context, settings, ValueSet.of(settings, SEED, bytes));
      case MpiIo -> run(context, settings, MpiFile.of(context.home(), settings, SEED, bytes));
    };
  }

  private static int run(CliContext context, StackSettings settings, TierLoad load)
      throws Exception {
    try (DemoNode node = new DemoNode(settings.nodeGroup())) {
      return run(context, settings, node, load);
    }
  }

  private static int run(CliContext context, StackSettings settings, DemoNode node, TierLoad load)
      throws Exception {
    StackHome home = context.home();
    StackClients clients = new StackClients(home, settings);
    DemoSettings demo =
        new DemoSettings(
            settings.nodeName(),
            node,
            clients.tier(),
            clients.kafkaProperties(),
            load,
            home.policies().resolve(settings.store().policyFile()),
            home.state().resolve("demo-report.json"),
            settings.tierMaxBytes(),
            settings.threshold(),
            SEED);
    boolean terminal = Boolean.getBoolean("dynims.terminal");
    return new Demo(demo, Clock.systemUTC(), context.out(), terminal).run();
  }
}
