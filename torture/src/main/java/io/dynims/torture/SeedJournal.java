package io.dynims.torture;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** Which seeds were run at which commit, and what failed; a line for each call. */
final class SeedJournal {

  private static final String HEADER = "from,to,commit,date,seconds,failed";

  private final Path file;
  private final String commit;

  /** A journal of what this commit does; another may be there at the end. */
  SeedJournal(Path file) throws IOException {
    this.file = file;
    this.commit = commit();
  }

  /**
   * Adds a line.
   *
   * @param failed how many seeds failed, by the rule
   */
  void add(long from, long to, double seconds, Map<String, Integer> failed) throws IOException {
    StringJoiner rules = new StringJoiner(" ");
    failed.forEach((rule, count) -> rules.add(rule + ":" + count));
    String line =
        "%d,%d,%s,%s,%.0f,%s"
            .formatted(from, to, commit, LocalDate.now(ZoneOffset.UTC), seconds, rules);
    List<String> lines = Files.exists(file) ? List.of(line) : List.of(HEADER, line);
    Files.write(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
  }

  /** The commit of the working folder; with {@code +changes} if files differ from it. */
  private static String commit() throws IOException {
    String commit = git("rev-parse", "--short=12", "HEAD");
    String changes = git("status", "--porcelain", "--untracked-files=no");
    return commit.isEmpty() ? "unknown" : changes.isEmpty() ? commit : commit + "+changes";
  }

  private static String git(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("git"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    return new String(process.getInputStream().readAllBytes(), UTF_8).strip();
  }
}
