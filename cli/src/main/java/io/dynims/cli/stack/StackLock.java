package io.dynims.cli.stack;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Lets one program at a time start or end parts of a stack; the kernel lets go of it in any case.
 */
final class StackLock implements AutoCloseable {

  private final FileChannel channel;

  private StackLock(FileChannel channel) {
    this.channel = channel;
  }

  static StackLock take(StackHome home) throws IOException, StackException {
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
      // Held in this very process: told as any other holder.
    }
    channel.close();
    throw new StackException(
        "another ./dynims is starting or ending this stack ("
            + file
            + "); wait for it, or press Ctrl-C there");
  }

  @Override
  public void close() throws IOException {
    channel.close();
  }
}
