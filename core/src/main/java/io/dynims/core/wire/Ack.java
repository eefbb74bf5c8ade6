package io.dynims.core.wire;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.List;

/**
 * The outcome of a push or a poll of a tier.
 *
 * @param node the node's name
 * @param tier the tier's name
 * @param desiredBytes the capacity asked for; the capacity in force where nothing was asked
 * @param capacityBytes the capacity in force; null if and only if the status is {@code Failed}, for
 *     the tier has not told it
 * @param usedBytes memory that the tier's data occupies; null where {@code capacityBytes} is
 * @param unevictableBytes what the tier could not give of what was asked; null if unknown
 * @param unpersistedBytes what the tier holds that exists nowhere else; null if unknown
 * @param hitRatio the share of the reads of the last minute that the tier served, in [0, 1]; null
 *     if unknown
 * @param status how the push ended
 * @param message why it was not {@code Applied}; empty otherwise
 * @param sampledMillis when the memory behind the decision was sampled, epoch milliseconds
 * @param appliedMillis when the answer came, epoch milliseconds
 * @param hints what jobs of the node are about to take, as the tier's adapter keeps it; null for
 *     nothing
 * @param inProcess whether the data is in the memory of a process; null or false for files, which
 *     collectd's stock plugin takes for cache
 * @param measuredMillis when the adapter looked at {@code usedBytes}, epoch milliseconds by the
 *     node's clock; null if unknown
 */
public record Ack(
    String node,
    String tier,
    long desiredBytes,
    @OptionalField Long capacityBytes,
    @OptionalField Long usedBytes,
    @OptionalField Long unevictableBytes,
    @OptionalField Long unpersistedBytes,
    @OptionalField Double hitRatio,
    AckStatus status,
    @OptionalField String message,
    long sampledMillis,
    long appliedMillis,
    @OptionalField List<Hint> hints,
    @OptionalField Boolean inProcess,
    @OptionalField Long measuredMillis) {

  /**
   * Checks that a failure tells no capacity, that anything else does, and the ranges.
   *
   * @throws IllegalArgumentException naming the field
   */
  public Ack {
    Require.name("node", node);
    Require.name("tier", tier);
    Require.notNegative("desiredBytes", desiredBytes);
    requirePresence("capacityBytes", capacityBytes, status);
    requirePresence("usedBytes", usedBytes, status);
    Require.amount("capacityBytes", capacityBytes);
    Require.amount("usedBytes", usedBytes);
    Require.amount("unevictableBytes", unevictableBytes);
    Require.amount("unpersistedBytes", unpersistedBytes);
    Require.ratio("hitRatio", hitRatio);
    Require.amount("sampledMillis", sampledMillis);
    Require.amount("appliedMillis", appliedMillis);
    Require.amount("measuredMillis", measuredMillis);
    hints = Hint.list(hints);
  }

  private static void requirePresence(String field, Long bytes, AckStatus status) {
    if ((bytes == null) != (status == AckStatus.Failed)) {
      throw new IllegalArgumentException(field + ": " + bytes + " in an ack that is " + status);
    }
  }

  /** An ack that tells only what is in force and used, without hints. */
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
        null,
        null,
        status,
        message,
        sampledMillis,
        appliedMillis,
        null,
        null,
        null);
  }

  /**
   * The ack of a request that was refused or not answered in time.
   *
   * @param message why
   */
  public static Ack failed(
      TierKey key, long desiredBytes, String message, long sampledMillis, long appliedMillis) {
    return new Ack(
        key.node(),
        key.tier(),
        desiredBytes,
        null,
        null,
        null,
        null,
        null,
        AckStatus.Failed,
        message,
        sampledMillis,
        appliedMillis,
        null,
        null,
        null);
  }

  /** The same without its message, which is for people. */
  public Ack withoutMessage() {
    return new Ack(
        node,
        tier,
        desiredBytes,
        capacityBytes,
        usedBytes,
        unevictableBytes,
        unpersistedBytes,
        hitRatio,
        status,
        "",
        sampledMillis,
        appliedMillis,
        hints,
        inProcess,
        measuredMillis);
  }

  /** The key of its Kafka record. */
  @JsonIgnore
  public TierKey key() {
    return new TierKey(node, tier);
  }
}
