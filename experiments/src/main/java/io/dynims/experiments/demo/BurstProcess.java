package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;

/** A running {@link MemoryBurst}, and when it did what. */
final class BurstProcess implements AutoCloseable {

  /**
   * The shape of a burst.
   *
   * @param peakBytes what it holds at its peak
   * @param riseBytesPerSecond how fast it takes memory
   * @param plateauMillis how long it keeps it
   * @param fallBytesPerSecond how fast it gives it back
   */
  record Shape(
      long peakBytes, long riseBytesPerSecond, long plateauMillis, long fallBytesPerSecond) {}

  private final Shape shape;
  private final Process process;
  private final Thread follower;
  private volatile long heldBytes;
  private volatile long risingMillis;
  private volatile long risenMillis;
  private volatile long fallingMillis;
  private volatile long fallenMillis;

  BurstProcess(Shape shape) throws IOException {
    this.shape = shape;
    this.process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx16m",
                    "-XX:+UseSerialGC",
                    "-XX:TieredStopAtLevel=1",
                    "-cp",
                    codeOf(MemoryBurst.class),
                    MemoryBurst.class.getName(),
                    Long.toString(shape.peakBytes()),
                    Long.toString(shape.riseBytesPerSecond()),
                    Long.toString(shape.plateauMillis()),
                    Long.toString(shape.fallBytesPerSecond())))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    this.follower = MemorySampler.daemon(this::follow, "burst-follower");
    follower.start();
  }

  long pid() {
    return process.pid();
  }

  /** What it holds now. */
  long heldBytes() {
    return heldBytes;
  }

  /** When it began to take memory, epoch milliseconds; 0 if it did not yet, as with the others. */
  long risingMillis() {
    return risingMillis;
  }

  /** When it held all of it. */
  long risenMillis() {
    return risenMillis;
  }

  /** When it began to give it back. */
  long fallingMillis() {
    return fallingMillis;
  }

  /** When it had given back all of it. */
  long fallenMillis() {
    return fallenMillis;
  }

  boolean isAlive() {
    return process.isAlive() || follower.isAlive();
  }

  /** Ends it, if it has not ended. */
  @Override
  public void close() {
    process.destroy();
  }

  private void follow() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int blank = line.indexOf(' ');
        follow(Long.parseLong(line.substring(0, blank)), Long.parseLong(line.substring(blank + 1)));
      }
    } catch (IOException e) {
      // It was ended from outside; what it held is free.
    }
    heldBytes = 0;
  }

  private void follow(long millis, long bytes) {
    if (risingMillis == 0) {
      risingMillis = millis;
    }
    if (bytes >= shape.peakBytes()) {
      risenMillis = millis;
    }
    if (risenMillis > 0 && bytes < shape.peakBytes() && fallingMillis == 0) {
      fallingMillis = millis;
    }
    if (fallingMillis > 0 && bytes == 0) {
      fallenMillis = millis;
    }
    heldBytes = bytes;
  }

  private static String codeOf(Class<?> type) {
    return Path.of(
            java.net.URI.create(
                type.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }
}
