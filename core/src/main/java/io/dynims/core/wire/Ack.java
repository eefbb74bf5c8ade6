package io.dynims.core.wire;

import com.fasterxml.jackson.annotation.JsonIgnore;

/**
 * The outcome of a push or a poll of a tier.
 *
 * @param node the node's name
 * @param tier the tier's name
 * @param desiredBytes the capacity asked for; the capacity in force where nothing was asked
 * @param capacityBytes the capacity in force; with {@code Failed} the last one known
 * @param usedBytes memory that the tier's data occupies
 * @param unevictableBytes what the tier could not give of what was asked; null if unknown
 * @param status how the push ended
 * @param message why it was not {@code Applied}; empty otherwise
 * @param sampledMillis when the memory behind the decision was sampled, epoch milliseconds
 * @param appliedMillis when the answer came, epoch milliseconds
 */
public record Ack(
    String node,
    String tier,
    long desiredBytes,
    long capacityBytes,
    long usedBytes,
    @OptionalField Long unevictableBytes,
    AckStatus status,
    @OptionalField String message,
    long sampledMillis,
    long appliedMillis) {

  /** An ack that does not tell what the tier could not give. */
  public Ack(
      String node,
      String tier,
      long desiredBytes,
      long capacityBytes,
      long usedBytes,
      AckStatus status,
      String message,
      long sampledMillis,
      long appliedMillis) {
    this(
        node,
        tier,
        desiredBytes,
        capacityBytes,
        usedBytes,
        null,
        status,
        message,
        sampledMillis,
        appliedMillis);
  }

  /** The key of its Kafka record. */
  @JsonIgnore
  public TierKey key() {
    return new TierKey(node, tier);
  }
}
