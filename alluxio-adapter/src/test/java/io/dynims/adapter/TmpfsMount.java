package io.dynims.adapter;

import io.dynims.core.testing.Needs;
import java.nio.file.Path;

/** A file system in memory, of 64 MiB, that nothing else uses. */
final class TmpfsMount implements AutoCloseable {

  private final Path folder;

  /** Mounts it at an empty folder. */
  TmpfsMount(Path folder) throws Exception {
    Needs.root("only root may mount");
    BindMount.run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder.toString());
    this.folder = folder;
  }

  Path folder() {
    return folder;
  }

  @Override
  public void close() throws Exception {
    BindMount.run("umount", folder.toString());
  }
}
