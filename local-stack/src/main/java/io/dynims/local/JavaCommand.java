package io.dynims.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Commands of Java programs that run beside this one, with the same JVM. */
public final class JavaCommand {

  private JavaCommand() {}

  /**
   * The beginning of the command of a program that lives for seconds or minutes. To optimize its
   * code would occupy a processor for as long, and its garbage is collected by one thread.
   */
  public static List<String> shortLived(String... more) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-XX:+UseSerialGC");
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(List.of(more));
    return command;
  }
}
