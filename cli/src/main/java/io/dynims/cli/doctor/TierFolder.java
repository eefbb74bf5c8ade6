package io.dynims.cli.doctor;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The folder of a tier's data and the file system that it is in.
 *
 * @param folder the folder
 * @param mountPoint where its file system is mounted
 * @param type the file system's type, such as {@code tmpfs}
 * @param mountOptions such as {@code huge=within_size}
 * @param sizeBytes the file system's size; 0 if it has no limit
 * @param otherBytes what files outside of the tier's folder have in it
 */
record TierFolder(
    Path folder,
    Path mountPoint,
    String type,
    List<String> mountOptions,
    long sizeBytes,
    long otherBytes) {

  private static final List<String> IN_MEMORY = List.of("tmpfs", "ramfs", "hugetlbfs");

  /** A file system of the system's own, which every program uses. */
  private static final Path SHARED = Path.of("/dev/shm");

  /**
   * Looks at a folder.
   *
   * @param root where {@code proc} is
   * @throws IOException if it is not there
   */
  static TierFolder read(Path given, Path root) throws IOException {
    if (!Files.isDirectory(given)) {
      throw new IOException(given + " is not a folder");
    }
    Path folder = given.toRealPath();
    List<String[]> mounts =
        Files.readAllLines(root.resolve("proc/self/mounts")).stream()
            .map(line -> line.split(" ", -1))
            .filter(fields -> fields.length >= 4)
            .toList();
    String[] mount = mountOf(folder, mounts);
    Path mountPoint = Path.of(unescaped(mount[1]));
    FileStore store = Files.getFileStore(folder);
    return new TierFolder(
        folder,
        mountPoint,
        mount[2],
        Arrays.asList(mount[3].split(",", -1)),
        store.getTotalSpace(),
        isMemory(mount[2]) ? bytesBeside(folder, mountPoint, mountPoints(mounts)) : 0);
  }

  boolean isInMemory() {
    return isMemory(type) || mountOptions.contains("dax") || mountOptions.contains("dax=always");
  }

  boolean isShared() {
    return mountPoint.equals(SHARED);
  }

  /** The value of a mount option, such as that of {@code huge}. */
  Optional<String> mountOption(String name) {
    return mountOptions.stream()
        .filter(option -> option.startsWith(name + "="))
        .map(option -> option.substring(name.length() + 1))
        .findFirst();
  }

  private static boolean isMemory(String type) {
    return IN_MEMORY.contains(type);
  }

  /** The mount with the longest path; of several at one path, the last one hides the others. */
  private static String[] mountOf(Path folder, List<String[]> mounts) throws IOException {
    String[] found = null;
    int names = -1;
    for (String[] fields : mounts) {
      Path point = Path.of(unescaped(fields[1]));
      if (folder.startsWith(point) && point.getNameCount() >= names) {
        found = fields;
        names = point.getNameCount();
      }
    }
    if (found == null) {
      throw new IOException("no file system is mounted at " + folder);
    }
    return found;
  }

  /** The kernel writes blanks and backslashes in octal. */
  private static String unescaped(String path) {
    return path.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
  }

  private static Set<Path> mountPoints(List<String[]> mounts) {
    return mounts.stream().map(fields -> Path.of(unescaped(fields[1]))).collect(Collectors.toSet());
  }

  /** What cannot be read counts as nothing, and so does what other file systems have. */
  private static long bytesBeside(Path folder, Path mountPoint, Set<Path> mountPoints)
      throws IOException {
    long[] bytes = {0};
    Files.walkFileTree(
        mountPoint,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            boolean isOther = mountPoints.contains(path) && !path.equals(mountPoint);
            return isOther || path.equals(folder)
                ? FileVisitResult.SKIP_SUBTREE
                : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            bytes[0] += attributes.isRegularFile() ? attributes.size() : 0;
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path path, IOException e) {
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path path, IOException e) {
            return FileVisitResult.CONTINUE;
          }
        });
    return bytes[0];
  }
}
