package io.dynims.cli;

import io.dynims.cli.stack.StackException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(name = "logs", description = "Show the end of a part's log.")
final class LogsCommand implements Callable<Integer> {

  private final CliContext context;

  @Spec private CommandSpec spec;

  @Parameters(
      paramLabel = "PART",
      description = "The part, such as controller; ./dynims status lists all.")
  private String part;

  @Option(names = "-f", description = "Keep printing as the log grows.")
  private boolean follow;

  @Option(
      names = "-n",
      paramLabel = "N",
      defaultValue = "40",
      description = "How many lines to print. Default: ${DEFAULT-VALUE}.")
  private int lines;

  LogsCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws Exception {
    Path log = context.home().log(part);
    // A stack with another store has left the logs of its parts.
    if (!Files.exists(log)) {
      PartNames.check(spec.commandLine(), context.stack().names(), List.of(part));
    }
    if (lines < 0) {
      throw new ParameterException(spec.commandLine(), "-n: " + lines + " is less than 0");
    }
    if (!Files.exists(log)) {
      throw new StackException(part + " has no log yet: it was never started (" + log + ")");
    }
    return show(log);
  }

  /** Leaves it to tail, which also handles a log that is rotated. */
  private int show(Path log) throws IOException, InterruptedException {
    Process tail =
        new ProcessBuilder(
                "tail", "-n", Integer.toString(lines), follow ? "-F" : "--", log.toString())
            .redirectErrorStream(true)
            .start();
    Thread stopTail = new Thread(tail::destroy);
    Runtime.getRuntime().addShutdownHook(stopTail);
    tail.getInputStream().transferTo(context.out());
    context.out().flush();
    return tail.waitFor();
  }
}
