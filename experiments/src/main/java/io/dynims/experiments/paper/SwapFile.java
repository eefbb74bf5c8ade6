package io.dynims.experiments.paper;

import io.dynims.cli.stack.StackException;
import io.dynims.local.AtExit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A swap file that is in use until it is closed. */
final class SwapFile implements AutoCloseable {

  private final Path file;
  private final AtExit atExit;

  SwapFile(Path file, long bytes) throws StackException, IOException, InterruptedException {
    this.file = file;
    Files.createDirectories(file.toAbsolutePath().getParent());
    release();
    run("fallocate", "-l", Long.toString(bytes), file.toString());
    run("chmod", "600", file.toString());
    run("mkswap", file.toString());
    run("swapon", file.toString());
    this.atExit = new AtExit(this::release);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    atExit.cancel();
    release();
  }

  private void release() throws IOException, InterruptedException {
    if (Files.exists(file)) {
      start("swapoff", file.toString()).waitFor(); // Fails if it is not in use.
      Files.delete(file);
    }
  }

  private static void run(String... command)
      throws StackException, IOException, InterruptedException {
    if (start(command).waitFor() != 0) {
      throw new StackException(String.join(" ", command) + " failed; a swap file needs root");
    }
  }

  private static Process start(String... command) throws IOException {
    return new ProcessBuilder(List.of(command))
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .redirectError(ProcessBuilder.Redirect.DISCARD)
        .start();
  }
}
