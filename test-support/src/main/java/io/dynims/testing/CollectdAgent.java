package io.dynims.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A real collectd, configured by {@code agents/render-collectd-conf} and run without privileges in
 * the foreground.
 */
public final class CollectdAgent implements AutoCloseable {

  private static final Path COLLECTD = Path.of("/usr/sbin/collectd");

  private final Path folder;
  private final Process process;

  private CollectdAgent(Path folder, Process process) {
    this.folder = folder;
    this.process = process;
  }

  /**
   * What is missing to run collectd on this machine, with the command that installs it.
   *
   * @param plugins those that are needed; none for those that the agent uses
   */
  public static Optional<String> missing(String... plugins)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(plugins));
    command.add(0, agents().resolve("check-collectd").toString());
    Ended check = run(command);
    return check.exitCode() == 0 ? Optional.empty() : Optional.of(check.output().strip());
  }

  /**
   * Starts collectd, which samples at once.
   *
   * @param node the node's name
   * @param brokers the bootstrap servers of Kafka
   * @param options more options of the script, such as {@code --memory-plugin stock}
   */
  public static CollectdAgent start(String node, String brokers, String... options)
      throws IOException, InterruptedException {
    // The unprivileged user may not be able to read the source tree.
    Path folder = Files.createTempDirectory("dynims-collectd-");
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    try {
      for (String file : List.of("dynims_memory.py", "dynims_tier.py", "types.db")) {
        Files.copy(agents().resolve("collectd").resolve(file), folder.resolve(file));
      }
      Path conf = folder.resolve("collectd.conf");
      List<String> arguments =
          new ArrayList<>(List.of("--node", node, "--brokers", brokers, "--output", "" + conf));
      arguments.addAll(List.of("--plugin-dir", folder.toString()));
      arguments.addAll(List.of(options));
      Ended rendered = render(arguments);
      if (rendered.exitCode() != 0) {
        throw new IOException(rendered.output());
      }
      if (isRoot()) {
        // With credentials in it, only its owner may read it.
        Files.setOwner(
            conf,
            conf.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
      }
      return new CollectdAgent(folder, collectd(conf));
    } catch (IOException | InterruptedException e) {
      delete(folder);
      throw e;
    }
  }

  /** Runs the script that renders the configuration. */
  public static Ended render(List<String> arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(agents().resolve("render-collectd-conf").toString());
    command.addAll(arguments);
    return run(command);
  }

  /**
   * The result of a command.
   *
   * @param exitCode its exit code
   * @param output its output on stdout and stderr
   */
  public record Ended(int exitCode, String output) {}

  /** The process id of collectd; {@code setpriv} replaces itself by collectd. */
  public long pid() {
    return process.pid();
  }

  /** Whether collectd is still running. */
  public boolean isAlive() {
    return process.isAlive();
  }

  @Override
  public void close() throws IOException {
    process.destroy();
    try {
      if (!process.waitFor(10, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
    delete(folder);
  }

  private static Process collectd(Path conf) throws IOException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(
          List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"));
    }
    command.addAll(List.of(COLLECTD.toString(), "-f", "-C", conf.toString()));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(conf.resolveSibling("log").toFile()))
            .start();
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> end(process, conf.getParent()), "end-collectd"));
    return process;
  }

  /** Ends what a test that was interrupted has not closed. */
  private static void end(Process process, Path folder) {
    process.destroyForcibly().onExit().join();
    try {
      delete(folder);
    } catch (IOException e) {
      // The test has closed it.
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** The log of collectd. */
  public String log() throws IOException {
    return Files.readString(folder.resolve("log"));
  }

  /** The folder {@code agents} of this source tree. */
  private static Path agents() {
    for (Path at = Path.of("").toAbsolutePath(); at != null; at = at.getParent()) {
      if (Files.isExecutable(at.resolve("agents/render-collectd-conf"))) {
        return at.resolve("agents");
      }
    }
    throw new IllegalStateException("no folder above this one has agents/render-collectd-conf");
  }

  private static Ended run(List<String> command) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), output);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(folder);
  }
}
