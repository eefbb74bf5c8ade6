package io.dynims.adapter;

import java.io.File;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The files of one directory, each measured when it is listed for the first time. The directory is
 * listed again only when it has changed, or could not be listed. One that cannot be listed is an
 * error, never empty. Not thread-safe.
 */
final class FolderListing {

  /** A change this recent may be followed by another one with the same time stamp. */
  static final long TIMESTAMP_GRAIN_MILLIS = 20;

  private final File folder;
  private Map<String, Long> sizesBytes = Map.of();
  private long modifiedMillis;
  private boolean settled;

  FolderListing(File folder) {
    this.folder = folder;
  }

  File folder() {
    return folder;
  }

  /** Sizes of the files by name, without directories. */
  Map<String, Long> sizesBytes() throws IOException {
    return hasChanged() ? list() : sizesBytes;
  }

  /** The same, listed now. */
  Map<String, Long> list() throws IOException {
    long nowModifiedMillis = folder.lastModified();
    Map<String, Long> now = new HashMap<>();
    for (String name : names(folder)) {
      Long known = sizesBytes.get(name);
      if (known != null) {
        now.put(name, known);
      } else {
        measure(name, now);
      }
    }
    sizesBytes = now;
    accept(nowModifiedMillis);
    return sizesBytes;
  }

  /** The names of all entries, listed now. */
  List<String> names() throws IOException {
    long nowModifiedMillis = folder.lastModified();
    List<String> names = names(folder);
    accept(nowModifiedMillis);
    return names;
  }

  private void measure(String name, Map<String, Long> sizes) throws IOException {
    try {
      BasicFileAttributes file =
          Files.readAttributes(new File(folder, name).toPath(), BasicFileAttributes.class);
      if (!file.isDirectory()) {
        sizes.put(name, file.size());
      }
    } catch (NoSuchFileException e) {
      // Just removed.
    }
  }

  /** Whether there was no file when the directory was last listed. */
  boolean isEmpty() {
    return sizesBytes.isEmpty();
  }

  /** Whether the directory may have changed since it was listed, or could not be listed. */
  boolean hasChanged() {
    return !settled || folder.lastModified() != modifiedMillis;
  }

  private void accept(long listedModifiedMillis) {
    modifiedMillis = listedModifiedMillis;
    settled = System.currentTimeMillis() - listedModifiedMillis > TIMESTAMP_GRAIN_MILLIS;
  }

  /** The names in a directory. */
  static List<String> names(File folder) throws IOException {
    List<String> names = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder.toPath())) {
      for (Path entry : entries) {
        names.add(entry.getFileName().toString());
      }
      return names;
    } catch (DirectoryIteratorException e) {
      throw e.getCause();
    }
  }

  /** The size of a file; 0 if it has just been removed. */
  static long sizeBytes(File file) throws IOException {
    try {
      return Files.size(file.toPath());
    } catch (NoSuchFileException e) {
      return 0;
    }
  }

  /** Why a file or directory cannot be read, in words. */
  static String reason(IOException failure) {
    if (failure instanceof NoSuchFileException) {
      return failure.getMessage() + " does not exist";
    }
    if (failure instanceof AccessDeniedException) {
      return "no permission to read " + failure.getMessage();
    }
    return failure.getClass() == IOException.class ? failure.getMessage() : failure.toString();
  }
}
