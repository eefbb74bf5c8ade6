package io.dynims.experiments.bench;

import io.dynims.cli.stack.StackException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Lets one benchmark at a time have the stack of benchmarks; the kernel lets go of it in any case.
 */
final class BenchLock implements AutoCloseable {

  private final Path file;
  private final FileChannel channel;

  private BenchLock(Path file, FileChannel channel) {
    this.file = file;
    this.channel = channel;
  }

  /**
   * Takes it.
   *
   * @param folder where its file is; made if it is not there
   * @throws StackException when a benchmark runs
   */
  static BenchLock take(Path folder) throws IOException, StackException {
    Files.createDirectories(folder);
    Path file = folder.resolve("bench.lock");
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      if (channel.tryLock() != null) {
        return new BenchLock(file, channel);
      }
    } catch (OverlappingFileLockException e) {
      // By this very process: told as any other holder.
    }
    channel.close();
    throw new StackException("a benchmark is running (" + file + "); wait for it, or end it");
  }

  /** Leaves nothing behind. */
  @Override
  public void close() throws IOException {
    if (channel.isOpen()) {
      Files.deleteIfExists(file);
      channel.close();
      try {
        Files.deleteIfExists(file.getParent());
      } catch (DirectoryNotEmptyException e) {
        // There is a stack, or what an earlier one left.
      }
    }
  }
}
