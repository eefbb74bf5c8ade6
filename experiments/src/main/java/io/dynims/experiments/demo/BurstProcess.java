package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;

/** A running {@link MemoryBurst} and the times of its phases. */
final class BurstProcess implements AutoCloseable {

  /**
   * The shape of a burst.
   *
   * @param peakBytes memory at the peak
   * @param riseBytesPerSecond rate of allocation
   * @param plateauMillis duration of the peak
   * @param fallBytesPerSecond rate of release
   */
  record Shape(
      long peakBytes, long riseBytesPerSecond, long plateauMillis, long fallBytesPerSecond) {}

  private final Shape shape;
  private final Process process;
  private final Thread reader;
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
    this.reader = MemorySampler.daemon(this::readOutput, "burst-reader");
    reader.start();
  }

  long pid() {
    return process.pid();
  }

  /** The memory that it holds now. */
  long heldBytes() {
    return heldBytes;
  }

  /**
   * When it started to allocate memory, in epoch milliseconds; like the other times, 0 until then.
   */
  long risingMillis() {
    return risingMillis;
  }

  /** When it reached its peak. */
  long risenMillis() {
    return risenMillis;
  }

  /** When it started to release memory. */
  long fallingMillis() {
    return fallingMillis;
  }

  /** When it had released all memory. */
  long fallenMillis() {
    return fallenMillis;
  }

  boolean isAlive() {
    return process.isAlive() || reader.isAlive();
  }

  /** Stops it if it is still running. */
  @Override
  public void close() {
    process.destroy();
  }

  private void readOutput() {
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(process.getInputStream(), US_ASCII))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        int blank = line.indexOf(' ');
        accept(Long.parseLong(line.substring(0, blank)), Long.parseLong(line.substring(blank + 1)));
      }
    } catch (IOException e) {
      // The process was stopped; its memory is free.
    }
    heldBytes = 0;
  }

  private void accept(long millis, long bytes) {
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
