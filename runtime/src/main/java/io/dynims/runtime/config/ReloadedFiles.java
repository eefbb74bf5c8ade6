package io.dynims.runtime.config;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * What a few small files say, such as tokens or certificates, read again when they change: a thread
 * looks once a second, so that nobody else waits for a disk. While the files cannot be used, what
 * they said last holds, and the log tells why. Thread-safe.
 *
 * @param <T> what the files say
 */
public final class ReloadedFiles<T> implements AutoCloseable {

  /** How soon a change counts, at the latest. */
  public static final long POLL_MILLIS = 1_000;

  private static final Logger LOG = System.getLogger(ReloadedFiles.class.getName());
  private static final int MAX_BYTES = 1 << 20;

  /** Understands the contents of the files, in their order. */
  public interface Parser<T> {
    /**
     * Understands the contents.
     *
     * @throws IOException if they cannot be used; the message names the file, and no secret
     */
    T parse(List<byte[]> contents) throws IOException;
  }

  private final List<Path> files;
  private final Parser<T> parser;
  private final ScheduledExecutorService reader =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread thread = new Thread(task, "file-reloader");
            thread.setDaemon(true);
            return thread;
          });
  private List<byte[]> contents;
  private volatile T value;
  private String lastFailure = "";

  /**
   * Reads the files, and keeps an eye on them.
   *
   * @throws IOException if they cannot be read or used; the message names the file
   */
  public ReloadedFiles(List<Path> files, Parser<T> parser) throws IOException {
    this.files = List.copyOf(files);
    this.parser = parser;
    this.contents = read();
    this.value = parser.parse(contents);
    var unused =
        reader.scheduleWithFixedDelay(
            this::refresh, POLL_MILLIS, POLL_MILLIS, TimeUnit.MILLISECONDS);
  }

  /** What the files said last. */
  public T get() {
    return value;
  }

  /** Looks for a change now. */
  public synchronized void refresh() {
    try {
      List<byte[]> now = read();
      if (!isSame(now, contents)) {
        value = parser.parse(now);
        contents = now;
        LOG.log(Level.INFO, "read again, as they have changed: {0}", files);
      }
      lastFailure = "";
    } catch (IOException | RuntimeException e) {
      if (!lastFailure.equals(e.toString())) {
        LOG.log(Level.WARNING, "{0}; what was read before still holds", e.getMessage());
      }
      lastFailure = e.toString();
    }
  }

  private static boolean isSame(List<byte[]> some, List<byte[]> others) {
    for (int i = 0; i < some.size(); i++) {
      if (!Arrays.equals(some.get(i), others.get(i))) {
        return false;
      }
    }
    return true;
  }

  private List<byte[]> read() throws IOException {
    List<byte[]> all = new ArrayList<>();
    for (Path file : files) {
      all.add(read(file));
    }
    return all;
  }

  /**
   * Reads a small file once.
   *
   * @throws IOException if it cannot be read, or is too long; the message names it
   */
  public static byte[] read(Path file) throws IOException {
    try (var in = Files.newInputStream(file)) {
      byte[] bytes = in.readNBytes(MAX_BYTES + 1);
      if (bytes.length > MAX_BYTES) {
        throw new IOException("it has more than " + MAX_BYTES + " bytes");
      }
      return bytes;
    } catch (NoSuchFileException e) {
      throw new IOException("cannot read " + file + ": there is no such file", e);
    } catch (IOException e) {
      throw new IOException("cannot read " + file + ": " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    reader.shutdownNow();
  }
}
