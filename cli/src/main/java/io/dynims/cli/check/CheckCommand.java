package io.dynims.cli.check;

import static io.dynims.cli.check.CheckFailedException.require;

import io.dynims.local.AtExit;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A command of the user, run by the shell. Its output goes to standard error. */
record CheckCommand(String option, String text) {

  /**
   * Runs it.
   *
   * @throws CheckFailedException if it does not end with 0 within the timeout
   */
  void run(Map<String, String> environment, Duration timeout)
      throws CheckFailedException, IOException, InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("sh", "-c", "exec 1>&2\n" + text)
            .redirectInput(Redirect.from(new File("/dev/null")))
            .redirectError(Redirect.INHERIT);
    builder.environment().putAll(environment);
    Process process = builder.start();
    AtExit end = new AtExit(process::destroy);
    try {
      require(
          process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS),
          "%s has not ended after %d s".formatted(option, timeout.toSeconds()));
      require(
          process.exitValue() == 0,
          "%s ended with exit code %d".formatted(option, process.exitValue()));
    } finally {
      process.destroy();
      end.cancel();
    }
  }
}
