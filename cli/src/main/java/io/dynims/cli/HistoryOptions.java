package io.dynims.cli;

import io.dynims.cli.simulate.HistoryClient;
import io.dynims.cli.simulate.InputException;
import io.dynims.cli.stack.StackException;
import io.dynims.core.auth.TokenFile;
import io.dynims.core.config.ConfigException;
import io.dynims.core.config.Quantities;
import io.dynims.core.tls.TlsFiles;
import io.dynims.core.wire.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Option;

/** Which part of a node's history to ask for, and whom. */
final class HistoryOptions {

  @Option(
      names = "--last",
      paramLabel = "TIME|N",
      defaultValue = "1h",
      description =
          "The last 1h at most, or so many decisions. Older than about five minutes, the controller"
              + " keeps two decisions per half minute. Default: ${DEFAULT-VALUE}.")
  private String last;

  @Option(
      names = "--tier",
      paramLabel = "NAME",
      description = "Which tier, if the node has several.")
  private String tier;

  @Option(
      names = "--url",
      paramLabel = "CONTROLLER",
      description = "Such as http://controller:8080; the local stack's if not given.")
  private String url;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "The token that the controller asks for (its http.token.file).")
  private Path tokenFile;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "Authorities to trust, in PEM, where the address is https. Default: Java's.")
  private Path authorities;

  /**
   * The decisions for the node's tier, newest first.
   *
   * @throws InputException if the controller knows no such node, tier or span
   * @throws StackException if it cannot be reached or does not answer properly
   */
  List<Target> decisions(String node, CliContext context)
      throws ConfigException, IOException, InputException, StackException, InterruptedException {
    Optional<String> token = Optional.empty();
    if (tokenFile != null) {
      try (TokenFile file = TokenFile.open(tokenFile)) {
        token = Optional.of(file.tokens().get(0));
      }
    }
    String address = url == null ? context.settings().controllerUrl() : url;
    return new HistoryClient(address, token, tls()).decisions(node, tier, last);
  }

  private Optional<SSLContext> tls() throws IOException, StackException {
    if (authorities == null) {
      return Optional.empty();
    }
    try (TlsFiles files =
        TlsFiles.open(
            new TlsFiles.Paths(Optional.empty(), Optional.empty(), Optional.of(authorities)))) {
      return Optional.of(files.context());
    } catch (GeneralSecurityException e) {
      throw new StackException("--ca: " + e, e);
    }
  }

  /** The time asked for, which the controller has accepted; 0 if it was a number. */
  long askedMillis() {
    return last.matches("[0-9]+") ? 0 : Quantities.millis(last);
  }
}
