package io.dynims.cli.check;

import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * What to check, and with what.
 *
 * @param adapter the adapter's base address, such as {@code http://127.0.0.1:7070}
 * @param token of those who may resize the tier; empty if the adapter asks for none
 * @param tls whom to trust where the address is https; empty to trust the JVM's authorities
 * @param timeout the longest wait for a condition, above 0
 * @param fillCommand puts data into the store; empty if there is none
 * @param fillBytes how much data it is told to put there, above 0
 * @param restartCommand restarts the adapter; empty if there is none
 */
public record CheckOptions(
    URI adapter,
    Optional<String> token,
    Optional<SSLContext> tls,
    Duration timeout,
    Optional<String> fillCommand,
    long fillBytes,
    Optional<String> restartCommand) {

  private static final Duration LEAST_ANSWER = Duration.ofSeconds(30);

  /** The longest wait for an answer or a command, at least 30 s. */
  Duration answerTimeout() {
    return timeout.compareTo(LEAST_ANSWER) < 0 ? LEAST_ANSWER : timeout;
  }
}
