package io.dynims.experiments.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Whole folders at once; links are not followed. */
public final class Folders {

  private Folders() {}

  /** Removes a folder and all that is in it, if it is there. */
  public static void remove(Path folder) throws IOException {
    for (Path path : contents(folder)) {
      Files.deleteIfExists(path);
    }
  }

  /** What the files in a folder have as their size; 0 if there is none. */
  public static long sizeBytes(Path folder) throws IOException {
    long bytes = 0;
    for (Path path : contents(folder)) {
      bytes += Files.isRegularFile(path) ? Files.size(path) : 0;
    }
    return bytes;
  }

  /** Copies the files of one folder, not those of its folders, for all to read. */
  static void copyFiles(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.write(to.resolve(file.getFileName().toString()), Files.readAllBytes(file));
      }
    }
  }

  private static List<Path> contents(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.sorted(Comparator.reverseOrder()).toList();
    }
  }
}
