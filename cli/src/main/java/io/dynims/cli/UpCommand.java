package io.dynims.cli;

import io.dynims.cli.stack.LocalStack;
import io.dynims.cli.stack.StackSettings;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
    name = "up",
    description = "Start missing parts, wait until the loop is closed, print the addresses.")
final class UpCommand implements Callable<Integer> {

  private final CliContext context;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "PART", description = "Only these parts and their dependencies.")
  private List<String> parts = List.of();

  @Option(
      names = "--set",
      paramLabel = "KEY=VALUE",
      description = "A setting, such as kafka.port=19092; can be repeated. --settings lists all.")
  private List<String> given = List.of();

  @Option(
      names = "--store",
      paramLabel = "STORE",
      description = "alluxio, redis, memcached or mpiio; short for --set store=STORE.")
  private Optional<String> store = Optional.empty();

  @Option(names = "--settings", description = "List the settings and exit.")
  private boolean list;

  UpCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    if (list) {
      context.out().print(StackSettings.documented());
      return 0;
    }
    for (String setting : given) {
      if (setting.indexOf('=') < 1) {
        throw new ParameterException(
            spec.commandLine(), "--set: '" + setting + "' is not KEY=VALUE");
      }
    }
    up();
    return 0;
  }

  private void up() throws Exception {
    StackSettings settings = context.settingsToStart(given, store);
    LocalStack stack = context.stack(settings);
    PartNames.check(spec.commandLine(), stack.names(), parts);
    long startNanos = System.nanoTime();
    stack.up(parts);
    context.out().println();
    new Addresses(settings).print(stack, (System.nanoTime() - startNanos) / 1_000_000, context);
  }
}
