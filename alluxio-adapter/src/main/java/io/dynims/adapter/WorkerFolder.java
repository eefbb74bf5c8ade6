package io.dynims.adapter;

import java.nio.file.Path;
import java.util.Optional;

/**
 * The folder of the blocks of the worker's top tier. It has two paths where worker and adapter see
 * different file systems, such as those of two containers.
 *
 * @param workers its path as the worker calls it
 * @param own its path in this process's file system
 */
record WorkerFolder(Path workers, Path own) {

  /** Why a folder is not the worker's, though it can be listed. */
  static final String HIDDEN = "a block that the worker has just made is not there";

  /** A block being written is at {@code FOLDER/.tmp_blocks/NUMBER/BLOCK}. */
  private static final int DEPTH = 3;

  /** Where this process sees a block that is being written; empty if it is in another folder. */
  Optional<Path> ownPath(Path workersFile) {
    return folderOf(workersFile).equals(workers)
        ? Optional.of(own.resolve(workers.relativize(workersFile)))
        : Optional.empty();
  }

  /** The folder of a block that is being written. */
  static Path folderOf(Path workersFile) {
    Path folder = workersFile;
    for (int i = 0; i < DEPTH && folder.getParent() != null; i++) {
      folder = folder.getParent();
    }
    return folder;
  }

  /** Says that the worker's blocks cannot be read here, and what to change. */
  String unreadable(String reason) {
    return ("the worker's folder %s cannot be read at tier.directory %s: %s; set tier.directory to"
            + " where the adapter sees that folder, and give it the right to read there")
        .formatted(workers, own, reason);
  }

  /** Says that the worker keeps its blocks in another folder, and what to change. */
  String misplaced(Path folder) {
    return ("the worker keeps blocks of its top tier in %s, but worker.directory is %s; set"
            + " worker.directory to the tier's only folder as the worker calls it, and"
            + " tier.directory, now %s, to where the adapter sees that folder (a top tier of several"
            + " directories cannot be resized)")
        .formatted(folder, workers, own);
  }
}
