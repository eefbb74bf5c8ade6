package io.dynims.experiments.bench.hostile;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.cli.stack.StackException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a JVM holds after a full garbage collection.
 *
 * @param heapBytes objects that are in use
 * @param threads the process's threads, the JVM's own as well
 */
record ServerUse(long heapBytes, int threads) {

  private static final Pattern USED = Pattern.compile("(?:generation|heap)\\s.*used (\\d+)K");

  /**
   * Measures a process of this user.
   *
   * @throws StackException if the JDK's jcmd cannot talk to it
   */
  static ServerUse of(long pid) throws IOException, InterruptedException, StackException {
    jcmd(pid, "GC.run");
    long kibibytes = 0;
    Matcher used = USED.matcher(jcmd(pid, "GC.heap_info"));
    while (used.find()) {
      kibibytes += Long.parseLong(used.group(1));
    }
    try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
      return new ServerUse(kibibytes << 10, (int) tasks.count());
    }
  }

  private static String jcmd(long pid, String command)
      throws IOException, InterruptedException, StackException {
    Path program = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    Process process =
        new ProcessBuilder(program.toString(), Long.toString(pid), command)
            .redirectErrorStream(true)
            .start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    if (process.waitFor() != 0) {
      throw new StackException("jcmd " + pid + " " + command + ": " + output);
    }
    return output;
  }
}
