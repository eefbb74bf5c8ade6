package io.dynims.cli;

import io.dynims.cli.check.CheckOptions;
import io.dynims.cli.check.CheckResult;
import io.dynims.cli.check.CheckResult.Verdict;
import io.dynims.cli.check.TierCheck;
import io.dynims.cli.stack.StackException;
import io.dynims.core.quantity.Quantities;
import io.dynims.local.AtExit;
import io.dynims.policy.ClaimedNode;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.runtime.config.Program;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToLongFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code dynims tier-check}: whether an adapter keeps the contract of the Tier API. */
@Command(
    name = "tier-check",
    description = {
      "Check whether an adapter, in whatever language, keeps the contract of the Tier API.",
      "",
      "One line for each check: PASS, FAIL or SKIP, its name, and what was seen. Resizes the tier"
          + " between its bounds and so evicts data; puts the capacity back at the end, also when"
          + " interrupted. Nobody else may use the store meanwhile, and no controller the adapter."
          + " See docs/write-an-adapter.md.",
      ""
    })
final class TierCheckCommand implements Callable<Integer> {

  private final CliContext context;

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "URL", description = "The adapter, such as http://127.0.0.1:7070.")
  private String url;

  @Mixin private TierAccessOptions access;

  @Mixin private ReportFormat format;

  @Option(
      names = "--fill-command",
      paramLabel = "COMMAND",
      description =
          "Writes as many bytes to the store as $DYNIMS_FILL_BYTES says; run by sh. What usedBytes"
              + " tells is then compared with that.")
  private String fillCommand;

  @Option(
      names = "--fill-bytes",
      paramLabel = "SIZE",
      defaultValue = "64Mi",
      description = "How much at most; half the tier if that is less. Default: ${DEFAULT-VALUE}.")
  private String fillBytes;

  @Option(
      names = "--restart-command",
      paramLabel = "COMMAND",
      description =
          "Restarts the adapter at the same address; run by sh. Checks how it comes back.")
  private String restartCommand;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      defaultValue = "30s",
      description =
          "The longest wait until the adapter is as asked. An answer or a command may take 30s, or as"
              + " long as this if it is more. Default: ${DEFAULT-VALUE}.")
  private String timeout;

  TierCheckCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws StackException, IOException, InterruptedException {
    CheckOptions options =
        new CheckOptions(
            adapter(),
            token(),
            access.tls(),
            Duration.ofMillis(aboveZero("--timeout", timeout, Quantities::millis)),
            Optional.ofNullable(fillCommand),
            aboveZero("--fill-bytes", fillBytes, Quantities::bytes),
            Optional.ofNullable(restartCommand));
    TierCheck check = new TierCheck(options);
    AtExit putBack =
        new AtExit(
            () -> context.err().println("dynims: the capacity is put back to " + check.restore()));
    List<CheckResult> results =
        check.run(
            result -> {
              if (format.isText()) {
                context.out().println(result.line());
              }
            });
    putBack.cancel();
    return report(results);
  }

  private Integer report(List<CheckResult> results) throws IOException {
    boolean passed = count(results, Verdict.FAIL) == 0;
    if (!format.isText()) {
      context.out().println(format.json(Map.of("adapter", url), passed, results));
    } else {
      context
          .out()
          .printf(
              "%d checks: %d passed, %d failed, %d skipped%n",
              results.size(),
              count(results, Verdict.PASS),
              count(results, Verdict.FAIL),
              count(results, Verdict.SKIP));
    }
    return passed ? 0 : Program.EXIT_FAILED;
  }

  private static long count(List<CheckResult> results, Verdict verdict) {
    return results.stream().filter(result -> result.verdict() == verdict).count();
  }

  private URI adapter() {
    try {
      return ClaimedNode.address(url.replaceAll("/+$", ""));
    } catch (IllegalArgumentException e) {
      throw refused("URL: " + e.getMessage());
    }
  }

  private long aboveZero(String option, String text, ToLongFunction<String> reader) {
    try {
      long value = reader.applyAsLong(text);
      if (value > 0) {
        return value;
      }
    } catch (IllegalArgumentException e) {
      throw refused(option + ": " + e.getMessage());
    }
    throw refused(option + ": '" + text + "' is not above 0");
  }

  private Optional<String> token() {
    if (access.tokenFile().isEmpty()) {
      return Optional.empty();
    }
    try (TokenFile file = TokenFile.open(access.tokenFile().get())) {
      return Optional.of(file.tokens().get(0));
    } catch (IOException e) {
      throw refused("--token-file: " + e.getMessage());
    }
  }

  private ParameterException refused(String message) {
    return new ParameterException(spec.commandLine(), message);
  }
}
