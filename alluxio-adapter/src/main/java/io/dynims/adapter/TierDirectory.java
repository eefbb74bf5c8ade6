package io.dynims.adapter;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Measures the memory that the data in a tier's directory occupies.
 *
 * <p>The sizes of the files are added up: a directory is listed again only when it has changed, and
 * a block is measured once, as it never changes. Blocks being written lie in up to a thousand
 * directories, most of them empty, which are listed in turns; such a block may be missing from the
 * sum for some seconds. A sum is reused for a time that grows with its cost, so measuring takes a
 * small part of a core however many files there are. While a directory cannot be listed, the sum is
 * unknown, not 0.
 *
 * <p>If the file system holds nothing else that has a name, and all of it is mounted, it tells what
 * has changed since the sum was made; while nothing has, no other is made. It is not asked for
 * more: other programs may hold files in it that have no name any more, as many do in {@code
 * /dev/shm}, and their memory is not the tier's.
 */
final class TierDirectory {

  private static final Path MOUNTS = Path.of("/proc/self/mountinfo");
  private static final String BEING_WRITTEN = ".tmp_blocks";
  private static final long REUSE_PER_COST = 50;

  /** How many directories of blocks being written are listed each time. */
  private static final int LISTINGS_PER_SUM = 16;

  private final BooleanSupplier isShown;
  private final LongSupplier nanoTime;
  private final FileStore fileSystem;
  private final List<FolderListing> parents;
  private final FolderListing blocks;
  private final BlocksBeingWritten beingWritten;
  private long validUntilNanos;
  private boolean measured;
  private OptionalLong sumBytes = OptionalLong.empty();

  /** What was in use in the file system when the sum was made; empty if it is not asked. */
  private OptionalLong inUseThenBytes = OptionalLong.empty();

  private long knownBytes;
  private boolean shared;

  /**
   * Measures nothing yet.
   *
   * @param isShown whether the directory is still the worker's: a block of it is seen there
   * @param nanoTime when a sum was made
   */
  TierDirectory(Path directory, BooleanSupplier isShown, LongSupplier nanoTime) {
    this.isShown = isShown;
    this.nanoTime = nanoTime;
    this.fileSystem = fileSystem(directory);
    this.parents = parents(directory);
    this.blocks = new FolderListing(directory.toFile());
    this.beingWritten = new BlocksBeingWritten(directory.resolve(BEING_WRITTEN).toFile());
  }

  /**
   * Measures now.
   *
   * @throws IOException if a directory cannot be listed, or a file not be measured
   */
  synchronized void check() throws IOException {
    knownBytes = sum(LISTINGS_PER_SUM);
  }

  /** The memory in bytes as it was last known; 0 if it never was. */
  synchronized long usedBytes() {
    knownBytes = measuredBytes().orElse(knownBytes);
    return knownBytes;
  }

  /** The memory in bytes; empty if it is not known now. */
  synchronized OptionalLong measuredBytes() {
    if (!isShown.getAsBoolean()) {
      return OptionalLong.empty();
    }
    OptionalLong inUseBytes = inUseBytes();
    long startNanos = nanoTime.getAsLong();
    boolean changed =
        sumBytes.isEmpty() || inUseBytes.isEmpty() || !inUseBytes.equals(inUseThenBytes);
    if (!measured || (changed && startNanos - validUntilNanos >= 0)) {
      measured = true;
      sumBytes = measureFiles(inUseBytes.isPresent() ? Integer.MAX_VALUE : LISTINGS_PER_SUM);
      inUseBytes = inUseBytes();
      inUseThenBytes = inUseBytes;
      long endNanos = nanoTime.getAsLong();
      validUntilNanos = endNanos + (endNanos - startNanos) * REUSE_PER_COST;
    }
    if (sumBytes.isEmpty() || inUseBytes.isEmpty() || inUseThenBytes.isEmpty()) {
      return sumBytes;
    }
    long changeBytes = inUseBytes.getAsLong() - inUseThenBytes.getAsLong();
    return OptionalLong.of(Math.max(0, sumBytes.getAsLong() + changeBytes));
  }

  /** What is in use in the file system; empty if it may be other programs', too. */
  private OptionalLong inUseBytes() {
    try {
      return fileSystem != null && isAlone()
          ? OptionalLong.of(fileSystem.getTotalSpace() - fileSystem.getUnallocatedSpace())
          : OptionalLong.empty();
    } catch (IOException e) {
      return OptionalLong.empty(); // Just unmounted: count what is there now.
    }
  }

  private OptionalLong measureFiles(int listings) {
    try {
      return OptionalLong.of(sum(listings));
    } catch (IOException e) {
      return OptionalLong.empty();
    }
  }

  private long sum(int listings) throws IOException {
    long bytes = 0;
    for (long block : blocks.sizesBytes().values()) {
      bytes += block;
    }
    return bytes + beingWritten.sizeBytes(listings);
  }

  /** Null if the directory is in a folder that is mounted without the rest of its file system. */
  private static FileStore fileSystem(Path directory) {
    try {
      return isWholeMounted(directory) ? Files.getFileStore(directory) : null;
    } catch (IOException e) {
      return null; // Does not exist yet.
    }
  }

  private static boolean isWholeMounted(Path directory) throws IOException {
    Path path = directory.toRealPath();
    String[] closest = {};
    for (String line : Files.readAllLines(MOUNTS)) {
      String[] fields = line.split(" "); // id, parent, device, root, mount point, ...
      if (path.startsWith(fields[4].replace("\\040", " "))
          && (closest.length == 0 || fields[4].length() >= closest[4].length())) {
        closest = fields;
      }
    }
    return closest.length > 0 && closest[3].equals("/");
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
      shared = !parents.stream().allMatch(TierDirectory::holdsOneEntry);
    }
    return !shared;
  }

  private static boolean holdsOneEntry(FolderListing folder) {
    try {
      return folder.names().size() == 1;
    } catch (IOException e) {
      return false; // Unknown.
    }
  }

  /** The directories of blocks being written; a block may be in any of them. */
  private static final class BlocksBeingWritten {

    private final FolderListing top;
    private final Map<String, FolderListing> known = new HashMap<>();
    private List<FolderListing> folders = List.of();

    /** Those that are to be listed before the sum is known. */
    private final Set<FolderListing> unlisted = new HashSet<>();

    private int next;

    BlocksBeingWritten(File folder) {
      this.top = new FolderListing(folder);
    }

    long sizeBytes(int listings) throws IOException {
      if (top.hasChanged()) {
        List<String> names = names();
        known.keySet().retainAll(Set.copyOf(names));
        names.forEach(name -> known.computeIfAbsent(name, this::unlisted));
        folders = new ArrayList<>(known.values());
      }
      for (int i = 0; i < Math.min(listings, folders.size()); i++) {
        next = (next + 1) % folders.size();
        unlisted.add(folders.get(next));
      }
      for (FolderListing each : List.copyOf(unlisted)) {
        var unused = sizesBytes(each);
        unlisted.remove(each);
      }
      long bytes = 0;
      for (FolderListing each : folders) {
        if (!each.isEmpty()) {
          // Blocks being written grow: measure them each time.
          for (String name : sizesBytes(each).keySet()) {
            bytes += FolderListing.sizeBytes(new File(each.folder(), name));
          }
        }
      }
      return bytes;
    }

    /** None if the worker has not written any block yet. */
    private List<String> names() throws IOException {
      try {
        return top.names();
      } catch (NoSuchFileException e) {
        return List.of();
      }
    }

    /** None if the folder has just been removed, or is none. */
    private static Map<String, Long> sizesBytes(FolderListing folder) throws IOException {
      try {
        return folder.sizesBytes();
      } catch (NoSuchFileException | NotDirectoryException e) {
        return Map.of();
      }
    }

    private FolderListing unlisted(String name) {
      FolderListing folder = new FolderListing(new File(top.folder(), name));
      unlisted.add(folder);
      return folder;
    }
  }
}
