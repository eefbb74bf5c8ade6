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
 * Server-sent events: a {@code snapshot} of all tiers first, then each {@code tier} that changed
 * and each one {@code withdrawn}. A client that reads too slowly misses steps, never the latest
 * state: what is kept for it is only which tiers it has yet to be told of.
 */
final class TierStream {

  private static final int MAX_CLIENTS = 200;
  private static final long FLUSH_MILLIS = 100;
  private static final long KEEP_ALIVE_MILLIS = 15_000;
  private static final WireCodec<TierView> TIER = new WireCodec<>(TierView.class);
  private static final WireCodec<TierKey> KEY = new WireCodec<>(TierKey.class);

  private record Client(HttpServerResponse response, Set<TierKey> untold) {}

  private final Fleet fleet;
  private final Set<Client> clients = new HashSet<>();

  TierStream(Vertx vertx, Fleet fleet) {
    this.fleet = fleet;
    fleet.onChange(this::changed);
    fleet.onRemove(tier -> clients.forEach(client -> client.untold().add(tier.key())));
    vertx.setPeriodic(FLUSH_MILLIS, timer -> flush());
    vertx.setPeriodic(KEEP_ALIVE_MILLIS, timer -> keepAlive());
  }

  void open(HttpServerResponse response) {
    if (clients.size() >= MAX_CLIENTS) {
      throw ApiException.unavailable("Too many streams", MAX_CLIENTS + " clients are listening");
    }
    Client client = new Client(response, new LinkedHashSet<>());
    response.exceptionHandler(failure -> clients.remove(client));
    response.closeHandler(closed -> clients.remove(client));
    Answers.head(response, "text/event-stream").setChunked(true);
    var tiers = new Lists.Tiers(fleet.tiers().stream().map(fleet::view).toList());
    write(response, event("snapshot", Lists.TIERS.encode(tiers)));
    clients.add(client);
  }

  private void changed(Tier tier) {
    for (Client client : clients) {
      client.untold().add(tier.key());
    }
  }

  private void flush() {
    Map<TierKey, Buffer> events = new HashMap<>();
    for (Client client : Set.copyOf(clients)) {
      if (!client.untold().isEmpty() && !client.response().writeQueueFull()) {
        Buffer all = Buffer.buffer();
        client.untold().forEach(key -> all.appendBuffer(events.computeIfAbsent(key, this::event)));
        client.untold().clear();
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

  /** A failed write means that the client is gone, of which the close handler hears. */
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
