package io.dynims.experiments.bench.resize;

import io.dynims.cli.stack.Folders;
import io.dynims.experiments.bench.resize.FullTier.Shrink;
import io.dynims.experiments.demo.DataSet;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** The machine's limit: unlinking files of the size of blocks, one after another. */
final class UnlinkLimit implements AutoCloseable {

  private final Path folder;
  private final int blocks;
  private final Thread atExit = new Thread(this::removeQuietly, "unlink-limit-end");

  /**
   * Writes nothing yet.
   *
   * @param folder a folder in the same tmpfs as the tier; it is removed on close
   */
  UnlinkLimit(Path folder, int blocks) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.blocks = blocks;
    Runtime.getRuntime().addShutdownHook(atExit);
  }

  /** Writes the files and unlinks them. */
  Shrink measure() throws IOException {
    List<Path> files = new ArrayList<>();
    ByteBuffer content = ByteBuffer.allocateDirect(1 << 20);
    for (int block = 0; block < blocks; block++) {
      files.add(write(folder.resolve("block-" + block), content));
    }
    FileStore tmpfs = Files.getFileStore(folder);
    long before = tmpfs.getUnallocatedSpace();
    long startNanos = System.nanoTime();
    for (Path file : files) {
      Files.delete(file);
    }
    long nanos = System.nanoTime() - startNanos;
    return new Shrink(tmpfs.getUnallocatedSpace() - before, nanos);
  }

  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(atExit);
    } catch (IllegalStateException e) {
      return; // The program is exiting, and the shutdown hook does this.
    }
    Folders.remove(folder);
  }

  private static Path write(Path file, ByteBuffer content) throws IOException {
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (int done = 0; done < DataSet.BLOCK_BYTES; done += content.capacity()) {
        content.clear();
        while (content.hasRemaining()) {
          channel.write(content);
        }
      }
    }
    return file;
  }

  private void removeQuietly() {
    try {
      Folders.remove(folder);
    } catch (IOException e) {
      System.err.println("could not remove " + folder + ": " + e);
    }
  }
}
