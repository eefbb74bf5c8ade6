package io.dynims.adapter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.testing.Needs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A second path to a folder, as another container has it; the folder can be hidden there. */
final class BindMount implements AutoCloseable {

  private final Path folder;
  private final Path at;
  private boolean mounted;

  /** Shows the folder in an empty one. */
  BindMount(Path folder, Path at) throws Exception {
    Needs.root("only root may mount");
    this.folder = folder;
    this.at = Files.createDirectories(at);
    show();
  }

  /** A path below the folder, as it is here. */
  Path resolve(String name) {
    return at.resolve(name);
  }

  void show() throws Exception {
    run("mount", "--bind", folder.toString(), at.toString());
    mounted = true;
  }

  void hide() throws Exception {
    mounted = false;
    run("umount", at.toString());
  }

  @Override
  public void close() throws Exception {
    if (mounted) {
      hide();
    }
  }

  /** Runs a command, which has to succeed. */
  static void run(String... command) throws Exception {
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as("%s: %s", List.of(command), output).isZero();
  }
}
