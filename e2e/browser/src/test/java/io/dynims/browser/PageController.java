package io.dynims.browser;

import io.dynims.testing.KafkaBroker;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A controller in a process of its own, on a free port. */
final class PageController implements AutoCloseable {

  private static final Path JAR = Path.of("../../controller/target/dynims-controller.jar");

  private final URI page;
  private final Process process;

  /** Starts it and returns once it is ready; its log is {@code target/NAME-controller.log}. */
  PageController(KafkaBroker kafka, Path policies, String name) throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      page = URI.create("http://127.0.0.1:" + socket.getLocalPort() + "/");
    }
    Path log = Files.createDirectories(Path.of("target")).resolve(name + "-controller.log");
    process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-XX:+UseSerialGC",
                    "-jar",
                    JAR.toString(),
                    "--http.address=" + page.getAuthority(),
                    "--kafka.bootstrap.servers=" + kafka.bootstrapServers(),
                    "--policies.path=" + policies))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    Browser.await()
        .ignoreExceptions()
        .until(() -> page.resolve("/readyz").toURL().openStream().readAllBytes().length > 0);
  }

  URI page() {
    return page;
  }

  long pid() {
    return process.pid();
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    process.waitFor();
  }
}
