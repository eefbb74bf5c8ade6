package io.dynims.memcached;

import io.dynims.core.config.FreePorts;
import io.dynims.tier.CapacityBounds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** A real server on a free port of loopback. */
final class MemcachedProcess implements AutoCloseable {

  private static final Path PROGRAM = Path.of("/usr/bin/memcached");

  private final int port;
  private final List<String> command;
  private Process process;

  /** Starts it with more options, such as {@code -m 64}. */
  MemcachedProcess(String... options) throws IOException {
    require();
    port = FreePorts.next();
    command =
        new ArrayList<>(
            List.of(
                PROGRAM.toString(), "-l", "127.0.0.1", "-p", Integer.toString(port), "-U", "0"));
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("-u", "nobody"));
    }
    command.addAll(List.of(options));
    start();
  }

  private static void require() {
    if (!Files.isExecutable(PROGRAM)) {
      String message = "needs memcached; apt-get install memcached";
      if (System.getenv("CI") != null) {
        Assertions.fail(message);
      }
      Assumptions.abort(message);
    }
  }

  /** Starts it, again after {@link #kill}; returns when it answers. */
  void start() throws IOException {
    process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "end-memcached"));
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .until(
            () -> {
              try (var connection = new MemcachedConnection(address(), Optional.empty())) {
                return !connection.command("version").isEmpty();
              }
            });
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
  }

  MemcachedSettings settings(long minBytes, long maxBytes) {
    return new MemcachedSettings(
        address(),
        Optional.empty(),
        new CapacityBounds(minBytes, maxBytes),
        // A busy machine must not turn exact answers into partial ones.
        TimeUnit.SECONDS.toNanos(4));
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      kill();
    }
  }
}
