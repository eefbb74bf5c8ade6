package io.dynims.local;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Picks free TCP ports for programs that are started with a fixed one, such as the parts of a local
 * stack. The ports are outside the kernel's ephemeral range: from that range, the kernel may hand a
 * port that was free a moment ago to any client or to any server that binds port 0. A picked port
 * is reserved for this process until it ends: no other one of the same user picks it, for each
 * locks the byte of that number in a file that all share.
 */
public final class FreePorts {

  private static final Path EPHEMERAL = Path.of("/proc/sys/net/ipv4/ip_local_port_range");
  private static final int FIRST = 20_000;
  private static final int LAST = 65_535;
  private static final int ENOUGH = 1_000;
  private static final int ATTEMPTS = 10_000;

  private static final Range RANGE = outside(ephemeral());

  /** Never closed: that would end the reservations. Not in java.io.tmpdir, which tests move. */
  private static final FileChannel RESERVATIONS = reservations();

  /** Ports from one to another, both included. */
  record Range(int first, int last) {

    int size() {
      return last - first + 1;
    }
  }

  private FreePorts() {}

  /**
   * A port that nothing listens on, and that is never picked again until this process ends.
   *
   * @throws IllegalStateException if no port is free
   */
  public static int next() {
    for (int i = 0; i < ATTEMPTS; i++) {
      int port = ThreadLocalRandom.current().nextInt(RANGE.first(), RANGE.last() + 1);
      if (reserve(port) && isFree(port)) {
        return port;
      }
    }
    throw new IllegalStateException(
        "no free port between " + RANGE.first() + " and " + RANGE.last());
  }

  /** A free port for each key, such as {@code kafka.port}, in the order of the keys. */
  public static Map<String, Integer> forKeys(Collection<String> keys) {
    Map<String, Integer> ports = new LinkedHashMap<>();
    keys.forEach(key -> ports.put(key, next()));
    return ports;
  }

  /** The ports below an ephemeral range or, if those are too few, the ports above it. */
  static Range outside(Range ephemeral) {
    Range below = new Range(FIRST, ephemeral.first() - 1);
    Range above = new Range(ephemeral.last() + 1, LAST);
    if (below.size() >= ENOUGH) {
      return below;
    }
    return above.size() >= ENOUGH ? above : new Range(FIRST, LAST);
  }

  static Range parse(String range) {
    String[] words = range.strip().split("\\s+", -1);
    return new Range(Integer.parseInt(words[0]), Integer.parseInt(words[1]));
  }

  /** Reads the file in one go: the kernel answers only the first read. */
  static Range ephemeral() {
    try (BufferedReader reader = Files.newBufferedReader(EPHEMERAL)) {
      return parse(reader.readLine());
    } catch (IOException e) {
      return new Range(32_768, 60_999); // Linux's default.
    }
  }

  private static FileChannel reservations() {
    Path file = Path.of("/tmp", "dynims-ports-" + System.getProperty("user.name"));
    try {
      return FileChannel.open(
          file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
    } catch (IOException e) {
      throw new UncheckedIOException("ports are reserved in " + file, e);
    }
  }

  private static boolean reserve(int port) {
    try {
      return RESERVATIONS.tryLock(port, 1, false) != null;
    } catch (OverlappingFileLockException e) {
      return false; // By this process.
    } catch (IOException e) {
      throw new UncheckedIOException("cannot reserve port " + port, e);
    }
  }

  /** Binds every address: a port that is taken on any of them does not count as free. */
  private static boolean isFree(int port) {
    try (ServerSocket socket = new ServerSocket(port)) {
      return socket.isBound();
    } catch (IOException e) {
      return false;
    }
  }
}
