package io.dynims.cli;

import io.dynims.cli.simulate.ControllerClient;
import io.dynims.cli.stack.StackException;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.runtime.config.ConfigException;
import io.dynims.runtime.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Files;
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
      description =
          "A token that the controller asks for (its http.token.file; for hints, its"
              + " http.hints.token.file, too). Default: the local stack's.")
  private Path tokenFile;

  @Option(
      names = "--ca",
      paramLabel = "FILE",
      description = "Authorities to trust, in PEM, where the address is https. Default: Java's.")
  private Path authorities;

  ControllerClient client(CliContext context) throws ConfigException, IOException, StackException {
    String address = url == null ? context.settings().controllerUrl() : url;
    return new ControllerClient(address, token(context), tls());
  }

  /** The token of the file that is given, or of the local stack if that is called and has one. */
  private Optional<String> token(CliContext context) throws IOException {
    Path path = tokenFile == null && url == null ? context.home().tierToken() : tokenFile;
    if (path == null || (tokenFile == null && !Files.isReadable(path))) {
      return Optional.empty();
    }
    try (TokenFile file = TokenFile.open(path)) {
      return Optional.of(file.tokens().get(0));
    }
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
