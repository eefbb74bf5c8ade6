package io.dynims.controller.push;

import io.dynims.core.gate.PushGate;
import io.dynims.runtime.auth.TokenFile;
import java.util.Optional;

/**
 * How adapters are called.
 *
 * @param timeoutMillis how long one request may take
 * @param idleMillis after how long without a push the tier is polled
 * @param gate when targets are pushed
 * @param tokens the first of them that an adapter accepts is sent; empty to send none
 * @param tls for adapters with an https address
 */
public record PushSettings(
    long timeoutMillis,
    long idleMillis,
    PushGate.Settings gate,
    Optional<TokenFile> tokens,
    AdapterTls tls) {

  /** Without credentials. */
  public PushSettings(long timeoutMillis, long idleMillis, PushGate.Settings gate) {
    this(
        timeoutMillis,
        idleMillis,
        gate,
        Optional.empty(),
        AdapterTls.of(Optional.empty(), Optional.empty()));
  }
}
