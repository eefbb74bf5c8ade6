package io.dynims.adapter;

import java.io.File;
import java.util.HashMap;
import java.util.Map;

/**
 * The files of one directory, each measured when it is listed for the first time. The directory is
 * listed again only when it has changed. Not thread-safe.
 */
final class FolderListing {

  /** A change this recent may be followed by another one with the same time stamp. */
  static final long TIMESTAMP_GRAIN_MILLIS = 20;

  private final File folder;
  private Map<String, Long> sizesBytes = Map.of();
  private long modifiedMillis = -1;
  private boolean settled;

  FolderListing(File folder) {
    this.folder = folder;
  }

  File folder() {
    return folder;
  }

  /** Sizes of the files by name, without directories. */
  Map<String, Long> sizesBytes() {
    return hasChanged() ? list() : sizesBytes;
  }

  /** The same, listed now. */
  Map<String, Long> list() {
    Map<String, Long> now = new HashMap<>();
    for (String name : names(folder)) {
      Long known = sizesBytes.get(name);
      File file = new File(folder, name);
      if (known != null || !file.isDirectory()) {
        now.put(name, known != null ? known : (Long) file.length());
      }
    }
    sizesBytes = now;
    return sizesBytes;
  }

  /** Whether there was no file when the directory was last listed. */
  boolean isEmpty() {
    return sizesBytes.isEmpty();
  }

  /** Whether the directory may have changed since the last call. */
  boolean hasChanged() {
    long nowModifiedMillis = folder.lastModified();
    if (settled && nowModifiedMillis == modifiedMillis) {
      return false;
    }
    modifiedMillis = nowModifiedMillis;
    settled = System.currentTimeMillis() - nowModifiedMillis > TIMESTAMP_GRAIN_MILLIS;
    return true;
  }

  /** The names in a directory; none if it does not exist. */
  static String[] names(File folder) {
    String[] names = folder.list();
    return names == null ? new String[0] : names;
  }
}
