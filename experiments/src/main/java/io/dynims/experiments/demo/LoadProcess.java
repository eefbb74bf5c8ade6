package io.dynims.experiments.demo;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.dynims.local.JavaCommand;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** A running {@link MemoryLoad} and what it reported. */
public final class LoadProcess implements AutoCloseable {

  /** The memory that it held from some moment on, epoch milliseconds. */
  public record Report(long millis, long bytes) {}

  private final long peakBytes;
  private final Process process;
  private final Thread reader;
  private final List<Report> reports = new ArrayList<>();
  private volatile long heldBytes;
  private volatile long risenMillis;
  private volatile long fallingMillis;
  private volatile long fallenMillis;

  /** Starts it. */
  public LoadProcess(LoadProfile profile) throws IOException {
    this(profile, UnaryOperator.identity());
  }

  /**
   * Starts it.
   *
   * @param place the command line that runs a program where it belongs, such as in a control group
   */
  public LoadProcess(LoadProfile profile, UnaryOperator<List<String>> place) throws IOException {
    this.peakBytes = profile.peakBytes() / MemoryLoad.CHUNK_BYTES * MemoryLoad.CHUNK_BYTES;
    List<String> command =
        JavaCommand.light("-Xmx16m", "-cp", codeOf(MemoryLoad.class), MemoryLoad.class.getName());
    command.addAll(profile.words());
    ProcessBuilder builder =
        new ProcessBuilder(place.apply(List.copyOf(command)))
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    builder.environment().put(MemoryLoad.MALLOC_SETTING, Long.toString(MemoryLoad.CHUNK_BYTES / 2));
    this.process = builder.start();
    this.reader = MemorySampler.daemon(this::readOutput, "load-reader");
    reader.start();
  }

  long pid() {
    return process.pid();
  }

  /** The memory that it holds now. */
  public long heldBytes() {
    return heldBytes;
  }

  /** What it has reported so far; the first report is that of its start. */
  public List<Report> reports() {
    synchronized (reports) {
      return List.copyOf(reports);
    }
  }

  /** The memory that it held at a time, by its reports. */
  public static long heldBytes(List<Report> reports, long millis) {
    long bytes = 0;
    for (Report report : reports) {
      bytes = report.millis() <= millis ? report.bytes() : bytes;
    }
    return bytes;
  }

  /** When it reached its peak, in epoch milliseconds; like the other times, 0 until then. */
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

  /** Whether it runs, or has output that is not yet read. */
  public boolean isAlive() {
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
    synchronized (reports) {
      reports.add(new Report(millis, bytes));
    }
    if (bytes >= peakBytes) {
      risenMillis = millis;
    }
    if (risenMillis > 0 && bytes < peakBytes && fallingMillis == 0) {
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
