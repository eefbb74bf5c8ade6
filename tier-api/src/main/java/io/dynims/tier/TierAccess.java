package io.dynims.tier;

import io.dynims.core.auth.TokenFile;
import io.dynims.core.tls.TlsFiles;
import java.util.Optional;

/**
 * Who may call a Tier API. Whoever may call may read the tier's state.
 *
 * @param tokens a request that changes something has to carry one of them; empty if it need not
 * @param tls the server's certificate, and the authorities of its clients' certificates, if it asks
 *     for them; empty for a server without TLS
 */
public record TierAccess(Optional<TokenFile> tokens, Optional<TlsFiles> tls) {

  /** Anyone who reaches the port: for tests, and where the network already knows who calls. */
  public static TierAccess anyone() {
    return new TierAccess(Optional.empty(), Optional.empty());
  }

  /** Whoever has one of the tokens may resize the tier. */
  public static TierAccess holdersOf(TokenFile tokens) {
    return new TierAccess(Optional.of(tokens), Optional.empty());
  }

  /** The same over TLS. */
  public TierAccess over(TlsFiles files) {
    return new TierAccess(tokens, Optional.of(files));
  }

  /** Whether a request carries one of the tokens. */
  boolean hasToken(String authorization) {
    return tokens.map(file -> file.accepts(authorization)).orElse(false);
  }
}
