package io.dynims.experiments.bench.tier;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files of a file system that the kernel has mounted. */
final class FileAccess implements Access {

  private static final int PAGE_BYTES = 4096;

  private final Path folder;
  private final boolean heap;

  /**
   * Files of a folder.
   *
   * @param heap whether they are read into arrays of Java's heap, which costs a copy
   */
  FileAccess(Path folder, boolean heap) {
    this.folder = folder;
    this.heap = heap;
  }

  @Override
  public OpenFile open(String file, boolean write) throws IOException {
    Path path = folder.resolve(file);
    if (!write) {
      return new Channel(FileChannel.open(path, StandardOpenOption.READ));
    }
    Files.deleteIfExists(path);
    return new Channel(
        FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
  }

  /** At the start of a page, as those of fio: a copy to another place can be slower. */
  @Override
  public ByteBuffer buffer(int length) {
    return heap
        ? ByteBuffer.allocate(length)
        : ByteBuffer.allocateDirect(length + PAGE_BYTES).alignedSlice(PAGE_BYTES).slice(0, length);
  }

  private record Channel(FileChannel channel) implements OpenFile {

    @Override
    public void read(long offset, ByteBuffer buffer) throws IOException {
      buffer.clear();
      while (buffer.hasRemaining()) {
        if (channel.read(buffer, offset + buffer.position()) < 0) {
          throw new EOFException("the file ends at " + (offset + buffer.position()));
        }
      }
    }

    @Override
    public void write(long offset, ByteBuffer buffer) throws IOException {
      buffer.clear();
      while (buffer.hasRemaining()) {
        channel.write(buffer, offset + buffer.position());
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
