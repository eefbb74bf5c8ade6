package io.dynims.controller.push;

import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import java.net.URI;
import java.util.function.Consumer;

/** Calls one node's Tier API, one call at a time. Every call ends with a reply. */
public interface TierEndpoint {

  /** The adapter's address. */
  URI uri();

  /** Whether the last answer came from the adapter of another node. */
  boolean isMisdirected();

  /** Identifies the connection on which the next request is sent. */
  int connection();

  /** Requests the tier's status. */
  void get(Consumer<TierReply> onReply);

  /** Requests a capacity. */
  void put(TierRequest request, Consumer<TierReply> onReply);

  /** Ends; a call in flight gets no reply. */
  void close();
}
