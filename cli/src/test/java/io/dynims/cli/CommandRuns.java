package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs commands in this process, and keeps what they print. */
public final class CommandRuns {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Runs a command in the project's folder; returns its exit code. */
  public int run(List<String> args) {
    var context =
        new CliContext(
            Path.of(".."),
            Map.of(),
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));
    return Dynims.run(context, List.of(), args.toArray(String[]::new));
  }

  public String out() {
    return out.toString(UTF_8);
  }

  public String err() {
    return err.toString(UTF_8);
  }

  /** Forgets what was printed to standard output. */
  public void resetOut() {
    out.reset();
  }
}
