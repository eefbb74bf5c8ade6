package io.dynims.cli.stack;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the process that listens on a port of this machine. */
final class PortHolder {

  private static final String LISTEN = "0A";

  private PortHolder() {}

  /** Whether a part could listen on the loopback port now. */
  static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket()) {
      socket.setReuseAddress(true);
      socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Name and pid of the process, if this user may see them. */
  static Optional<String> of(int port) {
    List<String> sockets =
        Stream.of("/proc/net/tcp", "/proc/net/tcp6")
            .flatMap(file -> lines(Path.of(file)))
            .map(line -> line.strip().split("\\s+", -1))
            .filter(field -> field.length > 9 && field[3].equals(LISTEN))
            .filter(field -> field[1].endsWith(String.format(Locale.ROOT, ":%04X", port)))
            .map(field -> "socket:[" + field[9] + "]")
            .toList();
    return sockets.isEmpty()
        ? Optional.empty()
        : processes().filter(p -> holds(p, sockets)).findFirst().map(PortHolder::describe);
  }

  private static Stream<Path> processes() {
    return list(Path.of("/proc")).filter(path -> path.getFileName().toString().matches("\\d+"));
  }

  private static boolean holds(Path process, List<String> sockets) {
    return list(process.resolve("fd")).anyMatch(fd -> sockets.contains(target(fd)));
  }

  private static String describe(Path process) {
    return lines(process.resolve("comm")).findFirst().orElse("a process")
        + " (pid "
        + process.getFileName()
        + ")";
  }

  private static String target(Path link) {
    try {
      return Files.readSymbolicLink(link).toString();
    } catch (IOException e) {
      return "";
    }
  }

  private static Stream<Path> list(Path folder) {
    try (Stream<Path> paths = Files.list(folder)) {
      return paths.toList().stream();
    } catch (IOException e) {
      return Stream.empty();
    }
  }

  private static Stream<String> lines(Path file) {
    try {
      return Files.readAllLines(file).stream();
    } catch (IOException e) {
      return Stream.empty();
    }
  }
}
