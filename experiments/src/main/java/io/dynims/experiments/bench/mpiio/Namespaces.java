package io.dynims.experiments.bench.mpiio;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.local.AtExit;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Network namespaces that play nodes, joined by a bridge. They share this machine's files and
 * mounts. They end with {@link #close}, or with this process.
 */
public final class Namespaces implements AutoCloseable {

  private final Path script;
  private final String prefix;
  private final AtExit atExit = new AtExit(this::down);

  /**
   * Starts them.
   *
   * @param built the folder with the programs of {@code mpiio-cache}
   * @param name for one set at a time of this process, of letters
   */
  public Namespaces(Path built, String name, int count) throws IOException, InterruptedException {
    this.script = built.resolveSibling("tests").resolve("namespaces");
    this.prefix = "dynims-" + name + "-" + ProcessHandle.current().pid();
    run("up", prefix, Integer.toString(count));
  }

  /** Whether this user may make them. */
  public static boolean arePossible() {
    return "root".equals(System.getProperty("user.name"));
  }

  /** The words before the command line of a program that starts it in a namespace. */
  public List<String> enter(int index) {
    return List.of("nsenter", "--net=/run/netns/" + prefix + "-" + index);
  }

  /** The address of a namespace. */
  public static String address(int index) {
    return "10.111.0." + (index + 1);
  }

  private void down() throws IOException, InterruptedException {
    run("down", prefix);
  }

  private void run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(script.toString()));
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    int status = process.waitFor();
    if (status != 0) {
      throw new IOException(String.join(" ", command) + " ends with " + status + ": " + output);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    atExit.cancel();
    down();
  }
}
