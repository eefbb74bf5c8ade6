package io.dynims.cli.stack;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/** Recursive operations on folders; symbolic links are not followed. */
public final class Folders {

  private Folders() {}

  /** Removes a folder with everything in it, if it exists. */
  public static void remove(Path folder) throws IOException {
    List<Path> found = new ArrayList<>();
    walk(folder, (path, attributes) -> found.add(path));
    Collections.reverse(found);
    for (Path path : found) {
      Files.deleteIfExists(path);
    }
  }

  /** The total size of the files in a folder; 0 if the folder does not exist. */
  public static long sizeBytes(Path folder) throws IOException {
    long[] bytes = {0};
    walk(
        folder, (path, attributes) -> bytes[0] += attributes.isDirectory() ? 0 : attributes.size());
    return bytes[0];
  }

  /** Copies the files of a folder, without its subfolders. */
  static void copyFiles(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.write(to.resolve(file.getFileName().toString()), Files.readAllBytes(file));
      }
    }
  }

  /** Visits each folder before its content; files that disappear meanwhile are skipped. */
  private static void walk(Path folder, BiConsumer<Path, BasicFileAttributes> visitor)
      throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes attributes) {
            return visitFile(path, attributes);
          }

          @Override
          public FileVisitResult visitFile(Path path, BasicFileAttributes attributes) {
            visitor.accept(path, attributes);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path path, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }
        });
  }
}
