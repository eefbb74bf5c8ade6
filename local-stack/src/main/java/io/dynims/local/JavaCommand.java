package io.dynims.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands of Java programs that run beside this one, with the same JVM. */
public final class JavaCommand {

  private JavaCommand() {}

  /**
   * The beginning of the command of a program that leaves the processors to others: the optimizing
   * compiler would occupy two of them for its first minutes, and one thread collects its garbage.
   *
   * @param more further options, and the program
   * @return a list that can be added to
   */
  public static List<String> light(String... more) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(List.of(more));
    return command;
  }
}
