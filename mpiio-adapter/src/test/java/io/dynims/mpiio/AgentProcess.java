package io.dynims.mpiio;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assertions;

/** The real agent, with its arena in a folder of its own in /dev/shm. */
final class AgentProcess implements AutoCloseable {

  private static final Path BUILT = Path.of("../mpiio-cache/target");
  private static final Path MEMORY = Path.of("/dev/shm");
  private static final int CHUNK_BYTES = 1 << 20;

  private final Path folder;
  private final List<String> command = new ArrayList<>();
  private final Thread atExit = new Thread(this::destroy, "end-agent");
  private Process process;

  /**
   * Starts it; returns when it answers.
   *
   * @param maxBytes the size of its arena, which is also the limit at the start
   */
  AgentProcess(long maxBytes, String... options) throws IOException {
    folder = Files.createTempDirectory(MEMORY, "dynims-mpiio-it");
    command.addAll(List.of(program("dynims-mpiio-agent"), "--directory", directory().toString()));
    command.addAll(List.of("--max", Long.toString(maxBytes)));
    command.addAll(List.of("--capacity", Long.toString(maxBytes)));
    command.addAll(List.of(options));
    Runtime.getRuntime().addShutdownHook(atExit);
    start();
  }

  /** The path of a program of the cache; the test fails if it was not built. */
  static String program(String name) {
    Path program = BUILT.resolve(name).toAbsolutePath().normalize();
    if (!Files.isExecutable(program)) {
      Assertions.fail(program + " is missing; build it with mpiio-cache/build");
    }
    return program.toString();
  }

  /** Starts it, again after {@link #kill}; returns when it answers. */
  void start() throws IOException {
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
            .start();
    Awaitility.await()
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(ask("status")).as(Files.readString(log())).contains("{"));
  }

  /** The answer to a request, on a connection of its own. */
  String ask(String request) throws IOException {
    try (var connection =
        new ControlConnection(settings().controlSocket(), Duration.ofSeconds(10))) {
      return new String(connection.ask(request), UTF_8);
    }
  }

  MpiIoSettings settings() {
    return new MpiIoSettings(directory());
  }

  private Path directory() {
    return folder.resolve("cache");
  }

  private Path log() {
    return folder.resolve("log");
  }

  /** A new file of so many random bytes, on the disk. */
  static Path file(Path in, String name, long bytes) throws IOException {
    Path file = in.resolve(name);
    SplittableRandom random = new SplittableRandom(bytes);
    byte[] chunk = new byte[CHUNK_BYTES];
    try (OutputStream out = Files.newOutputStream(file)) {
      for (long left = bytes; left > 0; left -= chunk.length) {
        random.nextBytes(chunk);
        out.write(chunk, 0, (int) Math.min(left, chunk.length));
      }
    }
    return file;
  }

  /** A program that reads a file through the cache, or overwrites it with zeros. */
  Process filling(Path file, String... options) throws IOException {
    List<String> fill = new ArrayList<>(List.of(program("mpiio-fill")));
    fill.addAll(List.of(directory().toString(), file.toString()));
    fill.addAll(List.of(options));
    return new ProcessBuilder(fill)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()))
        .start();
  }

  /** Runs such a program to its end. */
  void fill(Path file, String... options) throws IOException, InterruptedException {
    Process filling = filling(file, options);
    assertThat(filling.waitFor(2, TimeUnit.MINUTES)).isTrue();
    assertThat(filling.exitValue()).as(Files.readString(log())).isZero();
  }

  /** Ends it as if it had crashed. */
  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Stops it as a debugger does, or lets it go on. */
  void signal(String name) throws IOException, InterruptedException {
    assertThat(process.isAlive()).as("the process whose pid gets the signal").isTrue();
    String kill = "kill -" + name + " " + process.pid();
    assertThat(new ProcessBuilder("sh", "-c", kill).start().waitFor()).isZero();
  }

  private void destroy() {
    process.destroyForcibly();
  }

  @Override
  public void close() throws IOException, InterruptedException {
    Runtime.getRuntime().removeShutdownHook(atExit);
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      kill();
    }
    remove(folder);
  }

  private static void remove(Path folder) throws IOException {
    try (var paths = Files.walk(folder)) {
      for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
