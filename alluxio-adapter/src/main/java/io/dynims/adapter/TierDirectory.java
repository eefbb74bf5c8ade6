package io.dynims.adapter;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * The memory that the data in a tier's directory occupies.
 *
 * <p>Where the directory is a file system of its own, that file system knows. Elsewhere the files
 * are added up: a directory is listed again only when it has changed, a block is measured once, as
 * it never changes, and only temporary blocks are measured each time. However many files there are,
 * this takes a small part of a core: a result is used again for a time that grows with what it
 * cost.
 */
final class TierDirectory {

  private static final String TEMPORARY = ".tmp_blocks";
  private static final long REUSE_PER_COST = 50;

  /** A change this recent may be followed by one with the same time stamp. */
  private static final long TIMESTAMP_GRAIN_MILLIS = 20;

  private final LongSupplier nanoTime;
  private final FileStore ownFileSystem;
  private final Folder top;
  private long validUntilNanos;
  private long usedBytes = -1;

  TierDirectory(Path directory, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.ownFileSystem = ownFileSystem(directory);
    this.top = new Folder(directory.toFile(), false);
  }

  /** In bytes. */
  synchronized long usedBytes() {
    if (ownFileSystem != null) {
      try {
        return ownFileSystem.getTotalSpace() - ownFileSystem.getUnallocatedSpace();
      } catch (IOException e) {
        return top.sizeBytes(); // Unmounted a moment ago; what is there now is counted.
      }
    }
    long startNanos = nanoTime.getAsLong();
    if (usedBytes < 0 || startNanos - validUntilNanos >= 0) {
      usedBytes = top.sizeBytes();
      long endNanos = nanoTime.getAsLong();
      validUntilNanos = endNanos + (endNanos - startNanos) * REUSE_PER_COST;
    }
    return usedBytes;
  }

  private static FileStore ownFileSystem(Path directory) {
    try {
      FileStore store = Files.getFileStore(directory);
      Path parent = directory.getParent();
      Object device = Files.getAttribute(directory, "unix:dev");
      boolean mountPoint = parent != null && !device.equals(Files.getAttribute(parent, "unix:dev"));
      return mountPoint ? store : null;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return null;
    }
  }

  private static final class Folder {

    private final File folder;
    private final boolean temporary;
    private Map<String, Long> files = Map.of();
    private Map<String, Folder> folders = Map.of();
    private long modifiedMillis = -1;
    private boolean settled;

    Folder(File folder, boolean temporary) {
      this.folder = folder;
      this.temporary = temporary;
    }

    long sizeBytes() {
      long nowModifiedMillis = folder.lastModified();
      if (!settled || nowModifiedMillis != modifiedMillis) {
        modifiedMillis = nowModifiedMillis;
        settled = System.currentTimeMillis() - nowModifiedMillis > TIMESTAMP_GRAIN_MILLIS;
        list();
      }
      long bytes = 0;
      for (Map.Entry<String, Long> file : files.entrySet()) {
        bytes += temporary ? new File(folder, file.getKey()).length() : file.getValue();
      }
      for (Folder below : folders.values()) {
        bytes += below.sizeBytes();
      }
      return bytes;
    }

    private void list() {
      String[] names = folder.list();
      Map<String, Long> newFiles = new HashMap<>();
      Map<String, Folder> newFolders = new HashMap<>();
      for (String name : names == null ? new String[0] : names) {
        Folder knownFolder = folders.get(name);
        Long knownFile = files.get(name);
        File file = new File(folder, name);
        if (knownFolder != null) {
          newFolders.put(name, knownFolder);
        } else if (knownFile != null) {
          newFiles.put(name, knownFile);
        } else if (file.isDirectory()) {
          newFolders.put(name, new Folder(file, temporary || name.equals(TEMPORARY)));
        } else {
          newFiles.put(name, file.length());
        }
      }
      files = newFiles;
      folders = newFolders;
    }
  }
}
