package io.dynims.tier;

/** What an adapter counts at its server, and serves at {@code GET /metrics}. Thread-safe. */
public interface ServerMetrics {

  /** The type of what {@link #scrape} returns. */
  String contentType();

  /** All series as text. */
  String scrape();

  /**
   * A resize request was answered.
   *
   * @param status the HTTP status
   * @param durationNanos from its arrival to its answer
   */
  void resized(int status, long durationNanos);
}
