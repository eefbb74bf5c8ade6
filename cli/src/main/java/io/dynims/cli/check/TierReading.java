package io.dynims.cli.check;

import static io.dynims.cli.check.CheckFailedException.require;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * What an adapter tells of its tier, read so leniently that one wrong field fails one check only.
 *
 * @param residentBytes null if the adapter does not tell it
 * @param unpersistedBytes 0 if the adapter does not tell it
 * @param sampledMillis null if the adapter does not tell it
 * @param leaseHeld null if the adapter does not tell it
 */
record TierReading(
    long capacityBytes,
    long minBytes,
    long maxBytes,
    long usedBytes,
    long unevictableBytes,
    Long residentBytes,
    long unpersistedBytes,
    Long sampledMillis,
    Boolean leaseHeld) {

  static TierReading of(JsonNode body) throws CheckFailedException {
    return new TierReading(
        number(body, "capacityBytes"),
        number(body, "minBytes"),
        number(body, "maxBytes"),
        number(body, "usedBytes"),
        number(body, "unevictableBytes"),
        body.path("residentBytes").isNumber() ? body.get("residentBytes").asLong() : null,
        body.path("unpersistedBytes").asLong(),
        body.path("sampledMillis").isNumber() ? body.get("sampledMillis").asLong() : null,
        body.path("leaseHeld").isBoolean() ? body.get("leaseHeld").asBoolean() : null);
  }

  private static long number(JsonNode body, String field) throws CheckFailedException {
    require(
        body.path(field).isNumber(), "%s: %s is not a number".formatted(field, body.path(field)));
    return body.get(field).asLong();
  }

  /** The memory that the node lacks because of the tier's data. */
  long occupiedBytes() {
    return residentBytes == null ? usedBytes : residentBytes;
  }

  /** The capacity within the bounds that is closest to a desired one. */
  long clamp(long bytes) {
    return Math.max(minBytes, Math.min(maxBytes, bytes));
  }

  /** A capacity within the bounds: part 0 is the least, 1 the largest. */
  long between(double part) {
    return minBytes + (long) (part * (maxBytes - minBytes));
  }

  /** Whether what is used fits, but for what the adapter could not evict. */
  boolean usedFits() {
    return usedBytes - unevictableBytes <= capacityBytes;
  }
}
