package io.dynims.controller.api;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.Tier;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierView;
import io.dynims.core.wire.WireCodec;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Server-sent events: a {@code snapshot} of all tiers, then {@code tier} for each change and {@code
 * withdrawn} for each removal. A slow client misses intermediate states but never the latest one,
 * because only the keys of changed tiers are queued for it.
 */
final class TierStream {

  private static final int MAX_CLIENTS = 200;
  private static final long FLUSH_MILLIS = 100;
  private static final long KEEP_ALIVE_MILLIS = 15_000;
  private static final WireCodec<TierView> TIER = new WireCodec<>(TierView.class);
  private static final WireCodec<TierKey> KEY = new WireCodec<>(TierKey.class);

  private record Client(HttpServerResponse response, Set<TierKey> pending) {}

  private final Fleet fleet;
  private final Set<Client> clients = new HashSet<>();

  TierStream(Vertx vertx, Fleet fleet) {
    this.fleet = fleet;
    fleet.onChange(this::changed);
    fleet.onRemove(tier -> clients.forEach(client -> client.pending().add(tier.key())));
    vertx.setPeriodic(FLUSH_MILLIS, timer -> flush());
    vertx.setPeriodic(KEEP_ALIVE_MILLIS, timer -> keepAlive());
  }

  void open(HttpServerResponse response) {
    if (clients.size() >= MAX_CLIENTS) {
      throw ApiException.unavailable("Too many streams", MAX_CLIENTS + " clients are connected");
    }
    Client client = new Client(response, new LinkedHashSet<>());
    response.exceptionHandler(failure -> clients.remove(client));
    response.closeHandler(closed -> clients.remove(client));
    Responses.head(response, "text/event-stream").setChunked(true);
    var tiers = new Lists.Tiers(fleet.views());
    write(response, event("snapshot", Lists.TIERS.encode(tiers)));
    clients.add(client);
  }

  private void changed(Tier tier) {
    for (Client client : clients) {
      client.pending().add(tier.key());
    }
  }

  private void flush() {
    Map<TierKey, Buffer> events = new HashMap<>();
    for (Client client : Set.copyOf(clients)) {
      if (!client.pending().isEmpty() && !client.response().writeQueueFull()) {
        Buffer all = Buffer.buffer();
        client.pending().forEach(key -> all.appendBuffer(events.computeIfAbsent(key, this::event)));
        client.pending().clear();
        write(client.response(), all);
      }
    }
  }

  private void keepAlive() {
    for (Client client : Set.copyOf(clients)) {
      if (!client.response().writeQueueFull()) {
        write(client.response(), Buffer.buffer(":\n\n"));
      }
    }
  }

  /** A failed write means that the client is gone, and the close handler removes it. */
  private static void write(HttpServerResponse response, Buffer text) {
    if (!response.ended() && !response.closed()) {
      var unusedFuture = response.write(text);
    }
  }

  private Buffer event(TierKey key) {
    Tier tier = fleet.tier(key);
    return tier == null
        ? event("withdrawn", KEY.encode(key))
        : event("tier", TIER.encode(fleet.view(tier)));
  }

  private static Buffer event(String name, byte[] json) {
    return Buffer.buffer("event: " + name + "\ndata: ").appendBytes(json).appendString("\n\n");
  }
}
