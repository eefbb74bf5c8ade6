package io.dynims.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A program that has ended. */
record Ended(List<String> command, int exitCode, String out, String err) {

  private static final long MAX_MINUTES = 10;

  /** Runs a program with a text on its standard input. */
  static Ended run(Map<String, String> environment, String input, List<String> command) {
    Path folder = null;
    try {
      // A pipe that nobody reads would fill up; a file does not.
      folder = Files.createTempDirectory("dynims-run-");
      Path in = Files.writeString(folder.resolve("in"), input);
      Path out = folder.resolve("out");
      Path err = folder.resolve("err");
      ProcessBuilder builder =
          new ProcessBuilder(command)
              .redirectInput(in.toFile())
              .redirectOutput(out.toFile())
              .redirectError(err.toFile());
      builder.environment().putAll(environment);
      Process process = builder.start();
      if (!process.waitFor(MAX_MINUTES, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError(String.join(" ", command) + " did not end in time");
      }
      return new Ended(
          command, process.exitValue(), Files.readString(out), Files.readString(err).strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    } finally {
      delete(folder);
    }
  }

  /** Its standard output; an error with all of its output if it failed. */
  String succeeded() {
    if (exitCode != 0) {
      throw new AssertionError(this);
    }
    return out;
  }

  /** Its standard error; an error with all of its output if it succeeded. */
  String refused() {
    if (exitCode == 0) {
      throw new AssertionError("should have failed: " + this);
    }
    return err;
  }

  @Override
  public String toString() {
    return String.join(" ", command) + "\nexit code " + exitCode + "\n" + out + err;
  }

  private static void delete(Path folder) {
    if (folder == null) {
      return;
    }
    try {
      for (String name : List.of("in", "out", "err")) {
        Files.deleteIfExists(folder.resolve(name));
      }
      Files.delete(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
