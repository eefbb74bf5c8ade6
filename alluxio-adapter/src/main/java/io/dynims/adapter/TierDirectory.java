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
 * Measures the memory that the data in a tier's directory occupies.
 *
 * <p>If the file system holds nothing but that directory, the file system knows. Otherwise the
 * sizes of the files are added up: a directory is listed again only when it has changed, and a
 * block is measured once, as it never changes. Blocks being written lie in up to a thousand
 * directories, most of them empty, which are listed in turns; such a block may be missing from the
 * sum for some seconds. A sum is reused for a time that grows with its cost, so measuring takes a
 * small part of a core however many files there are.
 */
final class TierDirectory {

  private static final String BEING_WRITTEN = ".tmp_blocks";
  private static final long REUSE_PER_COST = 50;

  /** How many directories of blocks being written are listed each time. */
  private static final int LISTINGS_PER_SUM = 16;

  private final LongSupplier nanoTime;
  private final FileStore fileSystem;
  private final List<FolderListing> parents;
  private final FolderListing blocks;
  private final BlocksBeingWritten beingWritten;
  private long validUntilNanos;
  private long usedBytes = -1;
  private boolean shared;

  TierDirectory(Path directory, LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.fileSystem = fileSystem(directory);
    this.parents = parents(directory);
    this.blocks = new FolderListing(directory.toFile());
    this.beingWritten = new BlocksBeingWritten(directory.resolve(BEING_WRITTEN).toFile());
  }

  /** The memory in bytes. */
  synchronized long usedBytes() {
    if (fileSystem != null && isAlone()) {
      try {
        return fileSystem.getTotalSpace() - fileSystem.getUnallocatedSpace();
      } catch (IOException e) {
        return sum(); // Just unmounted: count what is there now.
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
    long bytes = beingWritten.sizeBytes();
    for (long block : blocks.sizesBytes().values()) {
      bytes += block;
    }
    return bytes;
  }

  private static FileStore fileSystem(Path directory) {
    try {
      return Files.getFileStore(directory);
    } catch (IOException e) {
      return null; // Does not exist yet.
    }
  }

  /** The parent directories in the same file system. */
  private static List<FolderListing> parents(Path directory) {
    List<FolderListing> found = new ArrayList<>();
    try {
      Object device = Files.getAttribute(directory, "unix:dev");
      Path parent = directory.toAbsolutePath().getParent();
      while (parent != null && device.equals(Files.getAttribute(parent, "unix:dev"))) {
        found.add(new FolderListing(parent.toFile()));
        parent = parent.getParent();
      }
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      found.add(
          new FolderListing(new File("/"))); // Unknown: assume that the file system is shared.
    }
    return found;
  }

  /** Whether the file system holds nothing but this directory and the path to it. */
  private boolean isAlone() {
    boolean changed = false;
    for (FolderListing each : parents) {
      changed |= each.hasChanged();
    }
    if (changed) {
      shared = parents.stream().anyMatch(each -> FolderListing.names(each.folder()).length != 1);
    }
    return !shared;
  }

  /** The directories of blocks being written; a block may be in any of them. */
  private static final class BlocksBeingWritten {

    private final FolderListing top;
    private final Map<String, FolderListing> known = new HashMap<>();
    private List<FolderListing> folders = List.of();
    private int next;

    BlocksBeingWritten(File folder) {
      this.top = new FolderListing(folder);
    }

    long sizeBytes() {
      if (top.hasChanged()) {
        List<String> names = List.of(FolderListing.names(top.folder()));
        known.keySet().retainAll(Set.copyOf(names));
        names.forEach(name -> known.computeIfAbsent(name, this::listed));
        folders = new ArrayList<>(known.values());
      }
      for (int i = 0; i < Math.min(LISTINGS_PER_SUM, folders.size()); i++) {
        next = (next + 1) % folders.size();
        var unused = folders.get(next).sizesBytes();
      }
      long bytes = 0;
      for (FolderListing each : folders) {
        if (!each.isEmpty()) {
          // Blocks being written grow: measure them each time.
          for (String name : each.sizesBytes().keySet()) {
            bytes += new File(each.folder(), name).length();
          }
        }
      }
      return bytes;
    }

    private FolderListing listed(String name) {
      FolderListing folder = new FolderListing(new File(top.folder(), name));
      var unused = folder.sizesBytes();
      return folder;
    }
  }
}
