package io.dynims.experiments.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A git repository for a test. */
public final class TestRepository {

  private final Path folder;

  /** Makes an empty one in a folder. */
  public TestRepository(Path folder) throws IOException, InterruptedException {
    this.folder = folder;
    git("", "init", "--quiet");
  }

  public void write(String file, String text) throws IOException {
    Path path = folder.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  /** Commits everything, and returns the commit. */
  public String commit() throws IOException, InterruptedException {
    git("", "add", "--all");
    git("", "commit", "--quiet", "--message", "test");
    return head();
  }

  /** Adds commits that change a file, quickly. */
  void commits(String file, int number) throws IOException, InterruptedException {
    String branch = git("", "symbolic-ref", "HEAD");
    StringBuilder stream = new StringBuilder();
    for (int i = 0; i < number; i++) {
      String text = String.valueOf(i);
      stream
          .append("commit " + branch + "\ncommitter t <t@localhost> 0 +0000\ndata 1\nt\n")
          .append(i == 0 ? "from " + branch + "^0\n" : "")
          .append("M 100644 inline " + file + "\ndata " + text.length() + "\n" + text + "\n");
    }
    git(stream.toString(), "fast-import", "--quiet");
    git("", "reset", "--quiet", "--hard");
  }

  String head() throws IOException, InterruptedException {
    return git("", "rev-parse", "--short=12", "HEAD");
  }

  /** Runs git, whatever the user's settings are, and returns what it prints. */
  String git(String input, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("git", "-C", folder.toString()));
    for (String setting :
        List.of("user.name=t", "user.email=t@localhost", "commit.gpgSign=false")) {
      command.addAll(List.of("-c", setting));
    }
    command.addAll(List.of(arguments));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    try (var in = process.getOutputStream()) {
      in.write(input.getBytes(UTF_8));
    }
    String output = new String(process.getInputStream().readAllBytes(), UTF_8).strip();
    if (process.waitFor() != 0) {
      throw new IllegalStateException(String.join(" ", command) + ": " + output);
    }
    return output;
  }
}
