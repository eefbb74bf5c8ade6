package io.dynims.experiments.bench;

import io.dynims.cli.stack.StackException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Lets one benchmark at a time use the benchmark stack; the kernel releases it when the program
 * ends.
 */
final class BenchLock implements AutoCloseable {

  private final FileChannel channel;

  private BenchLock(FileChannel channel) {
    this.channel = channel;
  }

  /**
   * Acquires the lock.
   *
   * @param folder the folder of its file; created if it does not exist
   * @throws StackException if another benchmark is running
   */
  static BenchLock acquire(Path folder) throws IOException, StackException {
    Files.createDirectories(folder);
    Path file = folder.resolve("bench.lock");
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return new BenchLock(channel);
      }
    } catch (OverlappingFileLockException e) {
      // Held by this process; reported like any other holder.
    }
    channel.close();
    throw new StackException("a benchmark is running (" + file + "); wait for it, or stop it");
  }

  /**
   * Releases the lock. Its file stays: whoever has it open would lock one that nobody else finds.
   */
  @Override
  public void close() throws IOException {
    channel.close();
  }
}
