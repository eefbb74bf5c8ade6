package io.dynims.adapter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.OptionalLong;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Saves the desired capacity for a restart of the adapter. The file is replaced atomically but not
 * forced to disk: a crash of the node empties the worker's tier as well.
 */
final class StateFile {

  private static final Logger LOG = LogManager.getLogger(StateFile.class);
  private static final String KEY = "capacityBytes=";

  private final Path file;
  private final Path draft;
  private long writtenBytes = -1;
  private boolean failed;

  StateFile(Path file) {
    this.file = file;
    this.draft = file.resolveSibling(file.getFileName() + ".new");
  }

  /** The saved capacity; empty if there is none or it cannot be read. */
  OptionalLong read() {
    try {
      String text = Files.readString(file).strip();
      long bytes = Long.parseLong(text.substring(KEY.length()));
      if (text.startsWith(KEY) && bytes >= 0) {
        return OptionalLong.of(bytes);
      }
      LOG.warn("{}: not of the form {}N; starting with full capacity", file, KEY);
    } catch (NoSuchFileException e) {
      LOG.info("{}: no capacity saved yet", file);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}: cannot be read, starting with full capacity: {}", file, e.toString());
    }
    return OptionalLong.empty();
  }

  /** Saves a capacity unless it is saved already; logs only the first of several failures. */
  void write(long capacityBytes) {
    if (capacityBytes == writtenBytes) {
      return;
    }
    try {
      Files.writeString(draft, KEY + capacityBytes + "\n");
      Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      writtenBytes = capacityBytes;
      failed = false;
    } catch (IOException e) {
      if (!failed) {
        LOG.warn("{}: cannot save the capacity: {}", file, e.toString());
      }
      failed = true;
    }
  }
}
