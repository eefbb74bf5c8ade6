package io.dynims.tier;

import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Keeps what an adapter needs after a restart. The guard's policy and the hints have to survive a
 * power cut: their file is forced to disk, and so it is when they change. The capacity changes
 * every second and has a file of its own beside it, {@code FILE.capacity}, which is not forced: a
 * crash of the node empties the store as well. Each file is replaced atomically. Thread-safe.
 */
public final class StateFile {

  private static final Logger LOG = System.getLogger(StateFile.class.getName());
  private static final WireCodec<SavedState> CODEC = new WireCodec<>(SavedState.class);

  /** What is done to the file system. */
  static class Disk {

    void write(Path file, byte[] content) throws IOException {
      Files.write(file, content);
    }

    /** Returns when a file's content, or a folder's entries, would survive a power cut. */
    void force(Path path) throws IOException {
      try (FileChannel channel = FileChannel.open(path)) {
        channel.force(true);
      }
    }

    void rename(Path from, Path to) throws IOException {
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private final Path file;
  private final Disk disk;

  /** Held while the disk is busy, so that {@link #state} never waits for it. */
  private final Object writing = new Object();

  private SavedState state = SavedState.NONE;
  private SavedState written = SavedState.NONE;
  private boolean failed;

  private StateFile(Path file, Disk disk) {
    this.file = file;
    this.disk = disk;
  }

  /**
   * Reads a file. One that is missing or unreadable is as if nothing had been saved, and is told.
   *
   * @param file empty to keep the state in memory only
   */
  public static StateFile open(Optional<Path> file) {
    return open(file, new Disk());
  }

  static StateFile open(Optional<Path> file, Disk disk) {
    StateFile opened = new StateFile(file.orElse(null), disk);
    file.ifPresent(path -> opened.read());
    return opened;
  }

  /** The state now. */
  public synchronized SavedState state() {
    return state;
  }

  /** Changes the state; {@link #save} writes it. */
  public synchronized void change(UnaryOperator<SavedState> change) {
    state = change.apply(state);
  }

  /**
   * Writes what is not written already, and may wait long for the disk; logs only the first of
   * several failures.
   */
  public void save() {
    SavedState now = state();
    synchronized (writing) {
      if (file == null || now.equals(written)) {
        return;
      }
      try {
        write(now);
        written = now;
        failed = false;
      } catch (IOException | RuntimeException e) {
        if (!failed) {
          LOG.log(Level.WARNING, "{0}: cannot be saved: {1}", file, e.toString());
        }
        failed = true;
      }
    }
  }

  private void write(SavedState now) throws IOException {
    if (!Objects.equals(now.capacityBytes(), written.capacityBytes())) {
      replace(capacityFile(), SavedState.NONE.withCapacityOf(now), false);
    }
    if (!now.withCapacityOf(SavedState.NONE).equals(written.withCapacityOf(SavedState.NONE))) {
      replace(file, now.withCapacityOf(SavedState.NONE), true);
    }
  }

  private void replace(Path target, SavedState content, boolean forced) throws IOException {
    Path draft = target.resolveSibling(target.getFileName() + ".new");
    disk.write(draft, CODEC.encode(content));
    if (forced) {
      disk.force(draft); // Before it gets the name: otherwise the name may survive without it.
    }
    disk.rename(draft, target);
    if (forced) {
      disk.force(target.toAbsolutePath().getParent());
    }
  }

  private Path capacityFile() {
    return file.resolveSibling(file.getFileName() + ".capacity");
  }

  private void read() {
    SavedState saved = read(file, Level.INFO);
    SavedState recent = read(capacityFile(), Level.DEBUG);
    written = saved.withCapacityOf(recent);
    state = recent.capacityBytes() == null ? saved : written; // It once was in the same file.
  }

  private static SavedState read(Path path, Level missing) {
    try {
      return CODEC.decode(Files.readAllBytes(path));
    } catch (NoSuchFileException e) {
      LOG.log(missing, "{0}: nothing saved yet", path);
    } catch (IOException | WireException e) {
      LOG.log(Level.WARNING, "{0}: cannot be read, starting anew: {1}", path, e.toString());
    }
    return SavedState.NONE;
  }
}
