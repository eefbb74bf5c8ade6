package io.dynims.experiments.bench;

import io.dynims.cli.stack.StackException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A tmpfs with huge pages, mounted for a benchmark's tier. */
final class TierMount {

  private final Path folder;

  /** Mounts nothing yet. */
  TierMount(Path folder) {
    this.folder = folder;
  }

  Path folder() {
    return folder;
  }

  /**
   * Mounts the tmpfs.
   *
   * @throws StackException if this user or this kernel cannot
   */
  void mount() throws IOException, StackException {
    unmount();
    Files.createDirectories(folder);
    String error =
        run("mount", "-t", "tmpfs", "-o", "huge=within_size", "tmpfs", folder.toString());
    if (!error.isEmpty()) {
      Files.delete(folder);
      throw new StackException(
          "--huge-pages: cannot mount a tmpfs with huge pages, which needs root and a kernel that"
              + " supports it: "
              + error);
    }
  }

  /** Unmounts the tmpfs, even that of an earlier benchmark that was killed. */
  void unmount() throws IOException, StackException {
    if (!Files.isDirectory(folder)) {
      return;
    }
    if (!Files.getAttribute(folder, "unix:dev")
        .equals(Files.getAttribute(folder.toAbsolutePath().getParent(), "unix:dev"))) {
      String error = run("umount", folder.toString());
      if (!error.isEmpty()) {
        throw new StackException("the tmpfs at " + folder + " cannot be unmounted: " + error);
      }
    }
    Files.delete(folder);
  }

  /** The error output of a program; empty if it succeeded. */
  private static String run(String... command) throws IOException {
    Process process = new ProcessBuilder(List.of(command)).redirectErrorStream(true).start();
    String error =
        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
    try {
      int code = process.waitFor();
      return code == 0 ? "" : error.isEmpty() ? "exit code " + code : error;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(command[0] + " was interrupted", e);
    }
  }
}
