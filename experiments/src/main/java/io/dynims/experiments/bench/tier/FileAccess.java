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

  private final Path folder;

  FileAccess(Path folder) {
    this.folder = folder;
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

  @Override
  public ByteBuffer buffer(int length) {
    return ByteBuffer.allocateDirect(length);
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
