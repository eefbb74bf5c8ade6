package io.dynims.experiments.bench.tier;

import io.dynims.cli.stack.StackHome;
import io.dynims.core.config.FreePorts;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/** What Alluxio's interfaces need beside its master and worker. */
final class AlluxioPrograms {

  private static final int CONNECT_MILLIS = 200;

  private final StackHome home;
  private final int masterPort;
  private final int proxyPort = FreePorts.forKeys(Set.of("s3")).get("s3");

  /** Programs of a stack that is running. */
  AlluxioPrograms(StackHome home, int masterPort) {
    this.home = home;
    this.masterPort = masterPort;
  }

  /** Arguments of {@link AccessWorker}. */
  List<String> worker(AccessKind kind) {
    return switch (kind) {
      case Fuse -> List.of("file", mount().toString());
      case S3 -> List.of("s3", Integer.toString(proxyPort));
      default -> List.of("native", Integer.toString(masterPort));
    };
  }

  /** Where the FUSE mount is. */
  Path mount() {
    return home.state().resolve("fuse");
  }

  /** What the interface needs beside Alluxio; nothing for its own client. */
  AccessProgram start(AccessKind kind, Path log) throws IOException, InterruptedException {
    Path library = home.project().resolve("experiments/access/target/lib");
    Path configuration = home.config();
    if (kind == AccessKind.Fuse) {
      Path mount = Files.createDirectories(mount());
      Object device = Files.getAttribute(mount, "unix:dev");
      List<String> arguments =
          List.of(
              "-Dalluxio.fuse.jnifuse.libfuse.version=3",
              "alluxio.fuse.AlluxioFuse",
              "-m",
              mount.toString(),
              "-o",
              "attr_timeout=600,entry_timeout=600");
      return AccessProgram.start(
          AccessProgram.alluxio(library, configuration, arguments),
          log,
          () -> !device.equals(Files.getAttribute(mount, "unix:dev")));
    }
    if (kind == AccessKind.S3) {
      List<String> arguments =
          List.of(
              "-Dalluxio.proxy.web.bind.host=127.0.0.1",
              "-Dalluxio.proxy.web.port=" + proxyPort,
              "alluxio.proxy.AlluxioProxy");
      return AccessProgram.start(
          AccessProgram.alluxio(library, configuration, arguments), log, this::isProxyListening);
    }
    return null;
  }

  private boolean isProxyListening() {
    try (Socket socket = new Socket()) {
      socket.connect(
          new InetSocketAddress(InetAddress.getLoopbackAddress(), proxyPort), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
