package io.dynims.experiments.bench.tier;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What Alluxio's interfaces need beside its master and worker, on one node. */
final class AlluxioPrograms {

  private static final int CONNECT_MILLIS = 200;

  /**
   * Where a program runs.
   *
   * @param enter the words before a command line that start it on the node; empty on this machine
   * @param host the node's address
   */
  record Place(List<String> enter, String host) {}

  private final Path library;
  private final Path configuration;
  private final Path log;

  /**
   * Programs of an Alluxio that is running.
   *
   * @param library a folder with their jars
   * @param configuration the folder of alluxio-site.properties
   */
  AlluxioPrograms(Path library, Path configuration, Path log) {
    this.library = library;
    this.configuration = configuration;
    this.log = log;
  }

  /** Mounts Alluxio until the program is closed. */
  AccessProgram mount(Place place, Path folder, FuseMount mount)
      throws IOException, InterruptedException {
    Object device = Files.getAttribute(Files.createDirectories(folder), "unix:dev");
    AccessProgram program =
        start(
            place,
            List.of(
                "-Dalluxio.fuse.jnifuse.libfuse.version=3",
                "-Dalluxio.user.hostname=" + place.host(),
                "alluxio.fuse.AlluxioFuse",
                "-m",
                folder.toString(),
                "-o",
                mount.options()),
            () -> !device.equals(Files.getAttribute(folder, "unix:dev")));
    try {
      mount.setReadAhead(folder);
    } catch (IOException e) {
      program.close();
      throw e;
    }
    return program;
  }

  /** Serves the S3 API until the program is closed. */
  AccessProgram proxy(Place place, int port) throws IOException, InterruptedException {
    return start(
        place,
        List.of(
            "-Dalluxio.proxy.web.bind.host=" + place.host(),
            "-Dalluxio.proxy.web.port=" + port,
            "alluxio.proxy.AlluxioProxy"),
        () -> isListening(place, port));
  }

  /** Starts a program of Alluxio and waits until it can be used. */
  AccessProgram start(Place place, List<String> program, AccessProgram.Probe probe)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(place.enter());
    command.addAll(AccessProgram.alluxio(library, configuration, program));
    return AccessProgram.start(command, log, probe);
  }

  /** Whether a port of a node can be reached from that node. */
  static boolean isListening(Place place, int port) throws IOException {
    if (!place.enter().isEmpty()) {
      List<String> command = new ArrayList<>(place.enter());
      command.addAll(List.of("bash", "-c", ": </dev/tcp/" + place.host() + "/" + port));
      try {
        return new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start()
                .waitFor()
            == 0;
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted", e);
      }
    }
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(place.host(), port), CONNECT_MILLIS);
      return true;
    } catch (IOException e) {
      return false;
    }
  }
}
