package io.dynims.tier;

/**
 * What clients of the Tier API may take.
 *
 * @param connections open at a time; one more ends the oldest one that no controller uses
 * @param requestMillis how long a connection may take to send its next request, and an answer to be
 *     read
 * @param bodyBytes of a request
 */
record ServerLimits(int connections, long requestMillis, int bodyBytes) {

  static final ServerLimits DEFAULT = new ServerLimits(64, 5_000, 16 << 10);
}
