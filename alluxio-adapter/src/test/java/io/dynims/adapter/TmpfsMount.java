package io.dynims.adapter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.testing.Needs;
import java.nio.file.Path;
import java.util.List;

/** A file system in memory, of 64 MiB, that nothing else uses. */
final class TmpfsMount implements AutoCloseable {

  private final Path folder;

  /** Mounts it at an empty folder. */
  TmpfsMount(Path folder) throws Exception {
    Needs.root("only root may mount");
    run("mount", "-t", "tmpfs", "-o", "size=64m", "tmpfs", folder.toString());
    this.folder = folder;
  }

  Path folder() {
    return folder;
  }

  @Override
  public void close() throws Exception {
    run("umount", folder.toString());
  }

  private static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s: %s", List.of(command), output).isZero();
  }
}
