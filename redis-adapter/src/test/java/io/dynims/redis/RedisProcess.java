package io.dynims.redis;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.core.config.FreePorts;
import io.dynims.tier.CapacityBounds;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
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

/** A real server, without persistence, on a free port of loopback. */
final class RedisProcess implements AutoCloseable {

  private static final Path PROGRAM = Path.of("/usr/bin/redis-server");

  private final int port;
  private final List<String> command;
  private Process process;

  /** Starts it with more options, such as {@code --maxmemory 64mb}. */
  RedisProcess(String... options) throws IOException {
    require();
    port = FreePorts.next();
    command =
        new ArrayList<>(
            List.of(
                PROGRAM.toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no"));
    command.addAll(List.of(options));
    start();
  }

  private static void require() {
    if (!Files.isExecutable(PROGRAM)) {
      String message = "needs redis-server; apt-get install redis-server";
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
    Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly, "end-redis"));
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .ignoreExceptions()
        .until(
            () -> {
              try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.getOutputStream().write("PING\r\n".getBytes(US_ASCII));
                return socket.getInputStream().read() > 0;
              }
            });
  }

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  int port() {
    return port;
  }

  RedisSettings settings(long minBytes, long maxBytes) {
    return new RedisSettings(
        new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
        "",
        Optional.empty(),
        Optional.empty(),
        new CapacityBounds(minBytes, maxBytes),
        // A busy machine must not turn exact answers into partial ones.
        TimeUnit.SECONDS.toNanos(4),
        TimeUnit.MILLISECONDS.toNanos(1));
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      kill();
    }
  }
}
