package io.dynims.controller.api;

import io.dynims.runtime.auth.TokenFile;
import io.dynims.runtime.tls.TlsFiles;
import java.util.Optional;
import java.util.Set;

/**
 * Who may call the REST API, the page and the metrics. Nobody may change something without a token,
 * wherever the server listens.
 *
 * @param tokens every request but health checks has to carry one of them, as a bearer token or as a
 *     password; empty if a request that reads need not
 * @param hintTokens more tokens of those who may give hints
 * @param tls the server's certificate, and the authorities of its clients' if it asks for them;
 *     empty for a server without TLS
 */
public record RestAccess(
    Optional<TokenFile> tokens, Optional<TokenFile> hintTokens, Optional<TlsFiles> tls) {

  /** A browser asks its user for a password, and then sends it with every request of the page. */
  static final String CHALLENGE = "Basic realm=\"DynIMS\", charset=\"UTF-8\"";

  /** The kubelet asks these, and has no token. */
  private static final Set<String> OPEN = Set.of("/healthz", "/readyz");

  /** Anyone who reaches the port. */
  public static RestAccess anyone() {
    return new RestAccess(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /**
   * Whether a request is answered.
   *
   * @param authorization the header's value; null if there is none
   */
  boolean allows(String path, String authorization) {
    return tokens.isEmpty() || OPEN.contains(path) || allowsChange(authorization);
  }

  private boolean allowsChange(String authorization) {
    return tokens
            .map(file -> file.accepts(authorization) || file.acceptsPassword(authorization))
            .orElse(false)
        || hintTokens.map(file -> file.accepts(authorization)).orElse(false);
  }

  /**
   * Refuses a request that changes something without a token that allows it.
   *
   * @param authorization the header's value; null if there is none
   * @throws ApiException 401, or 403 if this controller has no token that could be given
   */
  void requireChange(String authorization) {
    if (allowsChange(authorization)) {
      return;
    }
    if (tokens.isEmpty() && hintTokens.isEmpty()) {
      throw ApiException.forbidden(
          "nobody may change anything here, as the controller has neither http.token.file nor"
              + " http.hints.token.file");
    }
    throw ApiException.unauthorized(
        "a change needs a token of http.token.file or http.hints.token.file: as 'Authorization:"
            + " Bearer TOKEN'");
  }
}
