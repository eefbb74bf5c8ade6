package io.dynims.tier;

import io.dynims.runtime.auth.TokenFile;
import io.dynims.runtime.tls.TlsFiles;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;

/**
 * Who may call a Tier API. Whoever may call may read the tier's state.
 *
 * @param tokens a request that carries one of them may change something
 * @param tls the server's certificate, and the authorities of its clients' certificates, if it asks
 *     for them; empty for a server without TLS
 * @param controller the DNS name in the controller's certificate, which may change something
 *     without a token; other clients then need no certificate. Empty if a certificate only lets a
 *     client call
 */
public record TierAccess(
    Optional<TokenFile> tokens, Optional<TlsFiles> tls, Optional<String> controller) {

  private static final Integer DNS_NAME = 2;

  /** Anyone who reaches the port: for tests, and where the network already knows who calls. */
  public static TierAccess anyone() {
    return new TierAccess(Optional.empty(), Optional.empty(), Optional.empty());
  }

  /** Whoever has one of the tokens may resize the tier. */
  public static TierAccess holdersOf(TokenFile tokens) {
    return new TierAccess(Optional.of(tokens), Optional.empty(), Optional.empty());
  }

  /** The same over TLS. */
  public TierAccess over(TlsFiles files) {
    return new TierAccess(tokens, Optional.of(files), controller);
  }

  /** Whether anyone who may call may also change something. */
  public boolean isOpen() {
    return tokens.isEmpty() && controller.isEmpty();
  }

  /** Whether a request carries one of the tokens. */
  boolean hasToken(String authorization) {
    return tokens.map(file -> file.accepts(authorization)).orElse(false);
  }

  /** Whether a client has shown the controller's certificate. */
  boolean isController(SSLSession session) {
    if (controller.isEmpty()) {
      return false;
    }
    try {
      X509Certificate[] chain = (X509Certificate[]) session.getPeerCertificates();
      return names(chain[0]).anyMatch(controller.get()::equalsIgnoreCase);
    } catch (SSLPeerUnverifiedException | CertificateException e) {
      return false;
    }
  }

  private static Stream<String> names(X509Certificate certificate) throws CertificateException {
    Collection<List<?>> all = certificate.getSubjectAlternativeNames();
    return (all == null ? List.<List<?>>of() : all)
        .stream().filter(each -> each.get(0).equals(DNS_NAME)).map(each -> each.get(1).toString());
  }
}
