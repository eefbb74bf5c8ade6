package io.dynims.cli;

import io.dynims.cli.simulate.ControllerClient;
import io.dynims.cli.stack.StackException;
import io.dynims.core.auth.TokenFile;
import io.dynims.core.config.ConfigException;
import io.dynims.core.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Option;

/** The options that say which controller to call, and how. */
final class ControllerArguments {

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

  ControllerClient client(CliContext context) throws ConfigException, IOException, StackException {
    Optional<String> token = Optional.empty();
    if (tokenFile != null) {
      try (TokenFile file = TokenFile.open(tokenFile)) {
        token = Optional.of(file.tokens().get(0));
      }
    }
    String address = url == null ? context.settings().controllerUrl() : url;
    return new ControllerClient(address, token, tls());
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
}
