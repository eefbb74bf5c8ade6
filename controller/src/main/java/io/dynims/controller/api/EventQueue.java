package io.dynims.controller.api;

import io.vertx.core.buffer.Buffer;
import java.util.List;

/**
 * The events that one client of a stream is still to be sent. They are encoded when the client
 * accepts them, so a slow one misses intermediate states but never the latest one.
 */
interface EventQueue {

  /** Starts with a snapshot of these tiers. */
  void start(List<LatestTier> tiers);

  /** Adds what has changed. */
  void add(LatestTiers.Changes changes);

  /** Makes sure that the client is sent something. */
  void beat();

  /** The next events, about a slice of them; null if there are none. */
  Buffer poll();
}
