package io.dynims.adapter.runtime;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Keeps a second adapter from using the same state file: both would reserve space in one worker.
 * The operating system frees a lock when the process ends, however it ends.
 */
final class ProcessLock {

  private static final Logger LOG = LogManager.getLogger(ProcessLock.class);

  /** A channel that nobody refers to would be closed, and its lock freed. */
  private static final List<FileChannel> HELD = new CopyOnWriteArrayList<>();

  private ProcessLock() {}

  /**
   * Locks {@code .lock} beside the state file until this process ends. If that file cannot be
   * opened, or its file system has no locks, as NFS and Lustre may be mounted, only a warning is
   * logged: the adapter works without a state file, too.
   *
   * @throws IOException if another adapter holds the lock
   */
  static void hold(Path stateFile) throws IOException {
    Path file = stateFile.resolveSibling(stateFile.getFileName() + ".lock");
    FileChannel channel;
    try {
      channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    } catch (IOException e) {
      LOG.warn("{}: cannot be opened, so a second adapter goes unnoticed: {}", file, e.toString());
      return;
    }
    if (!isLocked(channel, file)) {
      channel.close();
      throw new IOException(
          "another adapter uses the state file " + stateFile + ": it holds the lock on " + file);
    }
    HELD.add(channel);
  }

  /** Locks a file; false if somebody else holds its lock. */
  static boolean isLocked(FileChannel channel, Path file) {
    try {
      return channel.tryLock() != null;
    } catch (OverlappingFileLockException e) {
      return false; // Held by this process.
    } catch (IOException e) {
      LOG.warn("{}: cannot be locked, so a second adapter goes unnoticed: {}", file, e.toString());
      return true;
    }
  }
}
