package io.dynims.experiments.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks git about the repository of a folder. */
record Git(Path folder) {

  /** What a command prints, without what is blank at its end; empty if it fails. */
  Optional<String> run(String... arguments) {
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    command.addAll(List.of(arguments));
    try {
      Process process =
          new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      return process.waitFor() == 0 ? Optional.of(output.stripTrailing()) : Optional.empty();
    } catch (IOException e) {
      return Optional.empty(); // There is no git.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
