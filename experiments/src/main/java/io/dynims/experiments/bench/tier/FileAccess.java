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

  private record Channel(FileChannel channel) implements OpenFile {

    @Override
    public void read(long offset, byte[] buffer, int length) throws IOException {
      ByteBuffer to = ByteBuffer.wrap(buffer, 0, length);
      while (to.hasRemaining()) {
        if (channel.read(to, offset + to.position()) < 0) {
          throw new EOFException("the file ends at " + (offset + to.position()));
        }
      }
    }

    @Override
    public void write(long offset, byte[] buffer, int length) throws IOException {
      ByteBuffer from = ByteBuffer.wrap(buffer, 0, length);
      while (from.hasRemaining()) {
        channel.write(from, offset + from.position());
      }
    }

    @Override
    public void close() throws IOException {
      channel.close();
    }
  }
}
