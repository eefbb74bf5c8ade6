package io.dynims.controller.api;

/**
 * The bounds that keep the clients of the REST API from filling the memory.
 *
 * @param connections how many clients may be connected; more are disconnected at once
 * @param streams how many event streams may be open; more get 503
 * @param bodyBytes response bodies in memory; while they exceed this, the next ones wait
 * @param idleMillis how long a connection may be idle
 * @param requestMillis how long a new connection may take to send its first request
 * @param stalledMillis how long a client of a stream may go without accepting anything
 * @param bodyMillis how long a client may take to accept a response body
 */
public record RestLimits(
    int connections,
    int streams,
    long bodyBytes,
    long idleMillis,
    long requestMillis,
    long stalledMillis,
    long bodyMillis) {

  /** The bounds in use; see {@code openapi.yaml}. */
  public static final RestLimits DEFAULT =
      new RestLimits(256, 50, 16 << 20, 60_000, 5_000, 30_000, 60_000);
}
