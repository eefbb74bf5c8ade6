package io.dynims.experiments.paper;

import io.dynims.cli.stack.StackException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Removes control groups, version 1. */
public final class ControlGroups {

  private static final int ATTEMPTS = 200;
  private static final long ATTEMPT_MILLIS = 100;

  private ControlGroups() {}

  /**
   * Removes a group and those below it as soon as their processes have ended; harmless if there is
   * none.
   *
   * @throws StackException if they do not end
   */
  public static void remove(Path folder) throws IOException, StackException {
    for (int i = 0; Files.exists(folder); i++) {
      try {
        for (Path group : innermostFirst(folder)) {
          Files.delete(group);
        }
      } catch (IOException e) {
        if (i == ATTEMPTS) {
          throw new StackException("the control group " + folder + " has processes: " + e, e);
        }
        pause();
      }
    }
  }

  private static List<Path> innermostFirst(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(Files::isDirectory).sorted(Comparator.reverseOrder()).toList();
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(ATTEMPT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
