package io.dynims.cli.stack;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Lets one program at a time start or stop parts of a stack; the kernel releases it when the
 * program ends.
 */
final class StackLock implements AutoCloseable {

  private final FileChannel channel;

  private StackLock(FileChannel channel) {
    this.channel = channel;
  }

  static StackLock acquire(StackHome home) throws IOException, StackException {
    home.create();
    Path file = home.state().resolve("lock");
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return new StackLock(channel);
      }
    } catch (OverlappingFileLockException e) {
      // Held by this process; reported like any other holder.
    }
    channel.close();
    throw new StackException(
        "another ./dynims is starting or stopping this stack ("
            + file
            + "); wait for it, or press Ctrl-C there");
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
