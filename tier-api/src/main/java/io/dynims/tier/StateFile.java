package io.dynims.tier;

import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Keeps what an adapter needs after a restart. The file is replaced atomically but not forced to
 * disk: a crash of the node empties the store as well. Thread-safe.
 */
public final class StateFile {

  private static final Logger LOG = System.getLogger(StateFile.class.getName());
  private static final WireCodec<SavedState> CODEC = new WireCodec<>(SavedState.class);

  private final Path file;

  /** Held while the disk is busy, so that {@link #state} never waits for it. */
  private final Object writing = new Object();

  private SavedState state = SavedState.NONE;
  private SavedState written = SavedState.NONE;
  private boolean failed;

  private StateFile(Path file) {
    this.file = file;
  }

  /**
   * Reads a file. One that is missing or unreadable is as if nothing had been saved, and is told.
   *
   * @param file empty to keep the state in memory only
   */
  public static StateFile open(Optional<Path> file) {
    StateFile opened = new StateFile(file.orElse(null));
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

  /** Writes the state unless it is written already; logs only the first of several failures. */
  public void save() {
    SavedState now = state();
    synchronized (writing) {
      if (file != null && !now.equals(written)) {
        write(now);
      }
    }
  }

  private void read() {
    try {
      state = CODEC.decode(Files.readAllBytes(file));
      written = state;
    } catch (NoSuchFileException e) {
      LOG.log(Level.INFO, "{0}: nothing saved yet", file);
    } catch (IOException | WireException e) {
      LOG.log(Level.WARNING, "{0}: cannot be read, starting anew: {1}", file, e.toString());
    }
  }

  private void write(SavedState now) {
    Path draft = file.resolveSibling(file.getFileName() + ".new");
    try {
      Files.write(draft, CODEC.encode(now));
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      written = now;
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        LOG.log(Level.WARNING, "{0}: cannot be saved: {1}", file, e.toString());
      }
      failed = true;
    }
  }
}
