package io.dynims.adapter;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * The memory that the data in a tier's directory occupies.
 *
 * <p>Where a file system holds that directory and nothing else, it knows. Elsewhere the files are
 * added up: a directory is listed again only when it has changed, and a block is measured once, as
 * it never changes. Blocks that are being written lie in up to a thousand directories, most of them
 * empty, which are looked at in turns: for some seconds such a block may be missing from the sum.
 * However many files there are, this takes a small part of a core: a result is used again for a
 * time that grows with what it cost.
 */
final class TierDirectory {

  private static final String TEMPORARY = ".tmp_blocks";
  private static final long REUSE_PER_COST = 50;

  /** How many empty directories of blocks that are being written are looked at each time. */
  private static final int LOOKS = 16;

  /** A change this recent may be followed by one with the same time stamp. */
  private static final long TIMESTAMP_GRAIN_MILLIS = 20;

  private final LongSupplier nanoTime;
  private final FileStore fileSystem;
  private final List<Listing> above;
  private final Listing blocks;
  private final Temporary temporary;
  private long validUntilNanos;
  private long usedBytes = -1;
  private boolean shared;

  TierDirectory(Path directory, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.fileSystem = fileSystem(directory);
    this.above = above(directory);
    this.blocks = new Listing(directory.toFile());
    this.temporary = new Temporary(directory.resolve(TEMPORARY).toFile());
  }

  /** In bytes. */
  synchronized long usedBytes() {
    if (fileSystem != null && isAlone()) {
      try {
        return fileSystem.getTotalSpace() - fileSystem.getUnallocatedSpace();
      } catch (IOException e) {
        return sum(); // Unmounted a moment ago; what is there now is counted.
      }
    }
    long startNanos = nanoTime.getAsLong();
    if (usedBytes < 0 || startNanos - validUntilNanos >= 0) {
      usedBytes = sum();
      long endNanos = nanoTime.getAsLong();
      validUntilNanos = endNanos + (endNanos - startNanos) * REUSE_PER_COST;
    }
    return usedBytes;
  }

  private long sum() {
    long bytes = temporary.sizeBytes();
    for (long block : blocks.sizesBytes().values()) {
      bytes += block;
    }
    return bytes;
  }

  private static FileStore fileSystem(Path directory) {
    try {
      return Files.getFileStore(directory);
    } catch (IOException e) {
      return null; // Nothing is there yet.
    }
  }

  /** The directories above this one that are in the same file system. */
  private static List<Listing> above(Path directory) {
    List<Listing> found = new ArrayList<>();
    try {
      Object device = Files.getAttribute(directory, "unix:dev");
      Path above = directory.toAbsolutePath().getParent();
      while (above != null && device.equals(Files.getAttribute(above, "unix:dev"))) {
        found.add(new Listing(above.toFile()));
        above = above.getParent();
      }
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      found.add(new Listing(new File("/"))); // Not known, so taken to be shared.
    }
    return found;
  }

  /** Whether the file system holds nothing but this directory and those on the way to it. */
  private boolean isAlone() {
    boolean changed = false;
    for (Listing each : above) {
      changed |= each.hasChanged();
    }
    if (changed) {
      shared = above.stream().anyMatch(each -> Listing.names(each.folder).length != 1);
    }
    return !shared;
  }

  /** The files of one directory; those that were there when it was last listed are not measured. */
  private static final class Listing {

    private final File folder;
    private Map<String, Long> sizesBytes = Map.of();
    private long modifiedMillis = -1;
    private boolean settled;

    Listing(File folder) {
      this.folder = folder;
    }

    /** By name; those of directories are left out. */
    Map<String, Long> sizesBytes() {
      if (hasChanged()) {
        Map<String, Long> now = new HashMap<>();
        for (String name : names(folder)) {
          Long known = sizesBytes.get(name);
          File file = new File(folder, name);
          if (known != null || !file.isDirectory()) {
            now.put(name, known != null ? known : (Long) file.length());
          }
        }
        sizesBytes = now;
      }
      return sizesBytes;
    }

    boolean hasChanged() {
      long nowModifiedMillis = folder.lastModified();
      if (settled && nowModifiedMillis == modifiedMillis) {
        return false;
      }
      modifiedMillis = nowModifiedMillis;
      settled = System.currentTimeMillis() - nowModifiedMillis > TIMESTAMP_GRAIN_MILLIS;
      return true;
    }

    private static String[] names(File folder) {
      String[] names = folder.list();
      return names == null ? new String[0] : names;
    }
  }

  /** The directories of blocks that are being written, of which each may lie in any. */
  private static final class Temporary {

    private final Listing top;
    private final Map<String, Listing> known = new HashMap<>();
    private List<Listing> folders = List.of();
    private int turn;

    Temporary(File folder) {
      this.top = new Listing(folder);
    }

    long sizeBytes() {
      if (top.hasChanged()) {
        List<String> names = List.of(Listing.names(top.folder));
        known.keySet().retainAll(Set.copyOf(names));
        names.forEach(name -> known.computeIfAbsent(name, this::found));
        folders = new ArrayList<>(known.values());
      }
      for (int i = 0; i < Math.min(LOOKS, folders.size()); i++) {
        turn = (turn + 1) % folders.size();
        var unused = folders.get(turn).sizesBytes();
      }
      long bytes = 0;
      for (Listing each : folders) {
        if (!each.sizesBytes.isEmpty()) {
          // They grow while they are written.
          for (String name : each.sizesBytes().keySet()) {
            bytes += new File(each.folder, name).length();
          }
        }
      }
      return bytes;
    }

    private Listing found(String name) {
      Listing folder = new Listing(new File(top.folder, name));
      var unused = folder.sizesBytes();
      return folder;
    }
  }
}
