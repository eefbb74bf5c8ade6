package io.dynims.controller.api;

import io.dynims.core.auth.TokenFile;
import io.dynims.core.tls.TlsFiles;
import java.util.Optional;
import java.util.Set;

/**
 * Who may read from the REST API, the page and the metrics.
 *
 * @param tokens every request but health checks has to carry one of them, as a bearer token or as a
 *     password; empty if it need not
 * @param tls the server's certificate, and the authorities of its clients' if it asks for them;
 *     empty for a server without TLS
 */
public record RestAccess(Optional<TokenFile> tokens, Optional<TlsFiles> tls) {

  /** A browser asks its user for a password, and then sends it with every request of the page. */
  static final String CHALLENGE = "Basic realm=\"DynIMS\", charset=\"UTF-8\"";

  /** The kubelet asks these, and has no token. */
  private static final Set<String> OPEN = Set.of("/healthz", "/readyz");

  /** Anyone who reaches the port. */
  public static RestAccess anyone() {
    return new RestAccess(Optional.empty(), Optional.empty());
  }

  /**
   * Whether a request is answered.
   *
   * @param authorization the header's value; null if there is none
   */
  boolean allows(String path, String authorization) {
    return tokens
        .map(
            file ->
                OPEN.contains(path)
                    || file.accepts(authorization)
                    || file.acceptsPassword(authorization))
        .orElse(true);
  }
}
