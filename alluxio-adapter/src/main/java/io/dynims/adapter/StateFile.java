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
 * The last capacity, kept for a restart of the adapter. It is replaced as a whole and not forced to
 * the disk: after a crash of the node the worker has lost its memory as well.
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

  /** The capacity kept; nothing when there is none or it cannot be read. */
  OptionalLong read() {
    try {
      String text = Files.readString(file).strip();
      long bytes = Long.parseLong(text.substring(KEY.length()));
      if (text.startsWith(KEY) && bytes >= 0) {
        return OptionalLong.of(bytes);
      }
      LOG.warn("{}: not of the form {}N; the tier starts at its full capacity", file, KEY);
    } catch (NoSuchFileException e) {
      LOG.info("{}: no capacity kept yet", file);
    } catch (IOException | RuntimeException e) {
      LOG.warn("{}: cannot be read, the tier starts at its full capacity: {}", file, e.toString());
    }
    return OptionalLong.empty();
  }

  /** Keeps a capacity unless it is kept already; a failure is told once and does no other harm. */
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
        LOG.warn("{}: the capacity cannot be kept: {}", file, e.toString());
      }
      failed = true;
    }
  }
}
