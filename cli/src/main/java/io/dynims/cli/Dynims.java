package io.dynims.cli;

import io.dynims.cli.stack.StackException;
import io.dynims.runtime.config.ConfigException;
import io.dynims.runtime.config.Program;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program behind the script {@code dynims}. */
@Command(
    name = "./dynims",
    description =
        "Runs DynIMS on this machine: collectd, Kafka, Flink, controller, adapter, and Alluxio, Redis,"
            + " memcached or a cache under MPI-IO.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "./dynims install installs the packages that the stack and the tests need.",
      "./dynims torture runs the whole loop with faults in virtual time.",
      "./dynims images builds the images that the chart starts, and pushes them to a registry.",
      "The stack keeps its state in .dynims in the project's folder, or in DYNIMS_HOME.",
      "Exit codes: 0 success; 1 failure; 2 wrong arguments or settings; 3 (status) not all parts are running."
    })
public final class Dynims implements Callable<Integer> {

  @Spec private CommandSpec spec;

  @CommandLine.Option(
      names = {"-h", "--help"},
      usageHelp = true,
      scope = CommandLine.ScopeType.INHERIT,
      description = "Show this help.")
  @SuppressWarnings("UnusedVariable") // picocli reads it.
  private boolean help;

  /** Runs a command and exits with its exit code. */
  public static void main(String[] args) {
    System.exit(run(CliContext.ofProcess(), List.of(), args));
  }

  /**
   * Runs a command.
   *
   * @param more commands of other modules, such as the benchmarks
   * @return the exit code
   */
  public static int run(CliContext context, List<CommandLine> more, String... args) {
    CommandLine line = new CommandLine(new Dynims());
    line.addSubcommand(new UpCommand(context));
    line.addSubcommand(new DownCommand(context));
    line.addSubcommand(new StatusCommand(context));
    line.addSubcommand(new LogsCommand(context));
    line.addSubcommand(new TiersCommand(context));
    line.addSubcommand(new PoliciesCommand(context));
    line.addSubcommand(new ExplainCommand(context));
    line.addSubcommand(new HintCommand(context));
    line.addSubcommand(new SimulateCommand(context));
    line.addSubcommand(TraceCommand.line(context));
    line.addSubcommand(new TierCheckCommand(context));
    line.addSubcommand(new CompletionCommand(context));
    line.addSubcommand(new DoctorCommand(context));
    more.forEach(line::addSubcommand);
    line.setOut(new PrintWriter(context.out(), true, Charset.defaultCharset()));
    line.setErr(new PrintWriter(context.err(), true, Charset.defaultCharset()));
    line.setParameterExceptionHandler(Dynims::refuse);
    line.setExecutionExceptionHandler((e, command, parsed) -> fail(e, command));
    return line.execute(args);
  }

  @Override
  public Integer call() {
    spec.commandLine().usage(spec.commandLine().getOut());
    return Program.EXIT_USAGE;
  }

  private static int refuse(ParameterException e, String[] args) {
    PrintWriter err = e.getCommandLine().getErr();
    err.println("dynims: " + e.getMessage());
    CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
    err.println("Try " + e.getCommandLine().getCommandSpec().qualifiedName() + " --help");
    return Program.EXIT_USAGE;
  }

  private static int fail(Exception e, CommandLine command) {
    PrintWriter err = command.getErr();
    if (e instanceof ConfigException) {
      e.getMessage().lines().forEach(line -> err.println("dynims: " + line));
      return Program.EXIT_USAGE;
    }
    boolean expected = e instanceof StackException;
    String message = expected ? e.getMessage() : e.toString();
    message.lines().forEach(line -> err.println("dynims: " + line));
    return Program.EXIT_FAILED;
  }
}
