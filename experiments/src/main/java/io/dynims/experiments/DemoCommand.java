package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.cli.stack.LocalStack;
import io.dynims.cli.stack.StackClients;
import io.dynims.cli.stack.StackHome;
import io.dynims.cli.stack.StackSettings;
import io.dynims.experiments.demo.Demo;
import io.dynims.experiments.demo.DemoSettings;
import java.time.Clock;
import java.util.List;
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
    StackSettings settings = context.settingsToStart(List.of());
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
    StackHome home = context.home();
    StackClients clients = new StackClients(home, settings);
    DemoSettings demo =
        new DemoSettings(
            settings.nodeName(),
            clients.tier(),
            clients.kafkaProperties(),
            "127.0.0.1",
            settings.port("alluxio.master.port"),
            home.policies().resolve("alluxio.yaml"),
            home.state().resolve("demo-report.json"),
            settings.tierMaxBytes(),
            settings.threshold(),
            SEED);
    boolean terminal = Boolean.getBoolean("dynims.terminal");
    return new Demo(demo, Clock.systemUTC(), context.out(), terminal).run();
  }
}
