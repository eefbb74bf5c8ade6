package io.dynims.controller.push;

import io.dynims.core.auth.TokenFile;
import io.dynims.core.loop.PushGate;
import io.dynims.core.tls.TlsFiles;
import java.util.Optional;

/**
 * How adapters are called.
 *
 * @param timeoutMillis how long one request may take
 * @param idleMillis after how long without a target the tier is polled
 * @param gate when targets are pushed
 * @param tokens the first of them that an adapter accepts is sent; empty to send none
 * @param tls whom to trust and what to show where the address is https; empty to trust the JVM's
 *     authorities and to show nothing
 * @param serverName the name that every adapter's certificate has to have; empty for its host
 */
public record PushSettings(
    long timeoutMillis,
    long idleMillis,
    PushGate.Settings gate,
    Optional<TokenFile> tokens,
    Optional<TlsFiles> tls,
    Optional<String> serverName) {

  /** Without credentials. */
  public PushSettings(long timeoutMillis, long idleMillis, PushGate.Settings gate) {
    this(timeoutMillis, idleMillis, gate, Optional.empty(), Optional.empty(), Optional.empty());
  }
}
