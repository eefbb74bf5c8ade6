package io.dynims.cli;

import io.dynims.runtime.tls.TlsFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Options of commands that call an adapter: whose token they send and whom they trust. */
final class TierAccessOptions {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--token-file",
      paramLabel = "FILE",
      description = "The token that the adapter asks for (its http.token.file).")
  private Path tokenFile;

  @Option(
      names = "--tls-ca",
      paramLabel = "FILE",
      description = "Authorities to trust, in PEM, where the address is https. Default: Java's.")
  private Path authorities;

  @Option(
      names = "--tls-certificate",
      paramLabel = "FILE",
      description =
          "A certificate of this client's, in PEM, if the adapter asks for one. With the controller's"
              + " the tier can be resized without a token.")
  private Path certificate;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "Its key, in PEM.")
  private Path key;

  /** The file of the token, if one is given; whether it can be used is not known. */
  Optional<Path> tokenFile() {
    return Optional.ofNullable(tokenFile);
  }

  /**
   * Whom to trust, and with which certificate.
   *
   * @return empty if nothing is given
   * @throws ParameterException if the files cannot be used
   */
  Optional<SSLContext> tls() {
    TlsFiles.Paths paths =
        new TlsFiles.Paths(
            Optional.ofNullable(certificate),
            Optional.ofNullable(key),
            Optional.ofNullable(authorities));
    if (paths.isEmpty()) {
      return Optional.empty();
    }
    try (TlsFiles files = TlsFiles.open(paths)) {
      return Optional.of(files.context());
    } catch (IOException | GeneralSecurityException e) {
      throw new ParameterException(spec.commandLine(), "--tls: " + e.getMessage(), e);
    }
  }
}
