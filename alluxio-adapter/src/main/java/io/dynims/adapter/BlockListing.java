package io.dynims.adapter;

import java.io.File;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** The blocks in a tier's directory; the name of a block's file is the block's id. */
final class BlockListing {

  private final FolderListing listing;
  private final BooleanSupplier isShown;

  /**
   * Lists nothing yet.
   *
   * @param isShown whether the folder is still the worker's: a block of it is seen there
   */
  BlockListing(File folder, BooleanSupplier isShown) {
    this.listing = new FolderListing(folder);
    this.isShown = isShown;
  }

  /** Whether there may be other blocks than those that were listed, or they cannot be listed. */
  boolean hasChanged() {
    return !isShown.getAsBoolean() || listing.hasChanged();
  }

  /**
   * The sizes of all blocks in bytes by their ids, listed now.
   *
   * @throws IOException if the directory cannot be listed: what it holds is unknown
   */
  Map<Long, Long> list() throws IOException {
    requireShown();
    Map<Long, Long> blocks = new HashMap<>();
    listing
        .list()
        .forEach(
            (name, sizeBytes) -> {
              if (isBlock(name)) {
                blocks.put(Long.parseLong(name), sizeBytes);
              }
            });
    return blocks;
  }

  /**
   * The sum of the blocks that are not among the known ones. Thread-safe.
   *
   * @param knownMillis when the known ones were listed
   * @throws IOException if the directory cannot be listed: what it holds is unknown
   */
  long newBytes(Map<Long, Long> known, long knownMillis) throws IOException {
    requireShown();
    File folder = listing.folder();
    long modifiedMillis = folder.lastModified(); // 0 if it cannot be told.
    if (modifiedMillis > 0 && modifiedMillis + FolderListing.TIMESTAMP_GRAIN_MILLIS < knownMillis) {
      return 0;
    }
    long bytes = 0;
    for (String name : FolderListing.names(folder)) {
      if (isBlock(name) && !known.containsKey(Long.parseLong(name))) {
        bytes += FolderListing.sizeBytes(new File(folder, name));
      }
    }
    return bytes;
  }

  private void requireShown() throws IOException {
    if (!isShown.getAsBoolean()) {
      throw new IOException(WorkerFolder.HIDDEN);
    }
  }

  private static boolean isBlock(String name) {
    return name.length() <= 18 && name.chars().allMatch(c -> c >= '0' && c <= '9');
  }
}
