package io.dynims.chaos;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.dynims.cli.stack.ProcessId;
import io.dynims.cli.stack.StackHome;
import io.dynims.testing.Signals;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * One process of the running stack: stops it, kills it, and starts it again with the same command,
 * as its supervisor would.
 */
final class StackPart {

  private static final Path PROC = Path.of("/proc");

  private final StackHome home;
  private final String name;
  private final List<String> command;

  /** The part of that name, which is running with the command that later starts will have. */
  StackPart(StackHome home, String name) throws IOException {
    this.home = home;
    this.name = name;
    this.command = commandOf(pid());
  }

  String name() {
    return name;
  }

  /** Its command line. */
  List<String> command() {
    return command;
  }

  long pid() throws IOException {
    return id().pid();
  }

  boolean isAlive() throws IOException {
    return id().isAlive();
  }

  private ProcessId id() throws IOException {
    return ProcessId.read(home.pid(name))
        .orElseThrow(() -> new IOException("no pid file of " + name));
  }

  /** SIGSTOP: it keeps its memory and its connections, and does nothing. */
  void freeze() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** SIGCONT; harmless if it runs. */
  void thaw() throws IOException, InterruptedException {
    if (isAlive()) {
      signal("CONT");
    }
  }

  /** SIGKILL; returns when the process has ended. */
  void kill() throws IOException {
    id().kill();
  }

  /** Starts it again, with the stack's command. */
  void start() throws IOException {
    start(arguments -> arguments, Map.of());
  }

  /** Starts it again with other arguments and more environment variables. */
  void start(UnaryOperator<List<String>> arguments, Map<String, String> environment)
      throws IOException {
    List<String> whole = new ArrayList<>(List.of("setsid", "--"));
    whole.addAll(arguments.apply(command));
    ProcessBuilder builder =
        new ProcessBuilder(whole)
            .directory(home.state().toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(home.log(name).toFile()));
    builder.environment().put("MALLOC_ARENA_MAX", "1");
    builder.environment().putAll(environment);
    long pid = builder.start().pid();
    ProcessId.of(pid)
        .orElseThrow(() -> new IOException(name + " ended at once"))
        .write(home.pid(name));
  }

  /** Kills it if it is alive and starts it again with other arguments and environment. */
  void restart(UnaryOperator<List<String>> arguments, Map<String, String> environment)
      throws IOException {
    kill();
    start(arguments, environment);
  }

  private void signal(String signal) throws IOException, InterruptedException {
    ProcessId id = id();
    ProcessHandle process =
        ProcessHandle.of(id.pid())
            .filter(handle -> id.isAlive())
            .orElseThrow(() -> new IOException(name + " has ended"));
    Signals.send(process, signal);
  }

  /** The command line; started as nobody again if it runs as somebody else than this program. */
  private static List<String> commandOf(long pid) throws IOException {
    List<String> command = new ArrayList<>();
    Object owner = Files.getAttribute(PROC.resolve(Long.toString(pid)), "unix:uid");
    if (!owner.equals(Files.getAttribute(PROC.resolve("self"), "unix:uid"))) {
      command.addAll(
          List.of("setpriv", "--reuid=" + owner, "--regid=nogroup", "--clear-groups", "--"));
    }
    String line = Files.readString(PROC.resolve(pid + "/cmdline"), ISO_8859_1);
    command.addAll(List.of(line.substring(0, line.length() - 1).split("\0", -1)));
    return List.copyOf(command);
  }
}
