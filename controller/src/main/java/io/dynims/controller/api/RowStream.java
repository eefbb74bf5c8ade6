package io.dynims.controller.api;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.Tier;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierState;
import io.dynims.core.wire.TierView;
import io.dynims.core.wire.WireCodec;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.time.Clock;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Server-sent events for the web page: numbers, which change ten times per second, are sent as
 * short rows; a complete tier is sent only if it is new or anything but its numbers has changed. As
 * in {@link TierStream}, a slow client misses intermediate states but never the latest one.
 */
final class RowStream {

  private static final int MAX_CLIENTS = 50;
  private static final long FLUSH_MILLIS = 100;
  private static final int HEARTBEAT_FLUSHES = 10;
  private static final int ROW_CHARACTERS = 128;
  private static final WireCodec<Snapshot> SNAPSHOT = new WireCodec<>(Snapshot.class);
  private static final WireCodec<Indexed> INDEXED = new WireCodec<>(Indexed.class);

  /** A tier with the index that identifies it in rows. */
  record Indexed(int index, TierView tier) {}

  /** All tiers, for a new client. */
  record Snapshot(long nowMillis, List<Indexed> tiers) {}

  /** The fields that are not in a row. */
  private record Details(
      Mode mode, TierState state, String reason, Long minBytes, Long maxBytes, double threshold) {

    static Details of(TierView view) {
      return new Details(
          view.mode(),
          view.state(),
          view.stateReason(),
          view.minBytes(),
          view.maxBytes(),
          view.threshold());
    }
  }

  private static final class Client {

    final HttpServerResponse response;
    final BitSet complete = new BitSet();
    final BitSet rows = new BitSet();

    Client(HttpServerResponse response) {
      this.response = response;
    }

    boolean isWritable() {
      return !response.ended() && !response.closed() && !response.writeQueueFull();
    }
  }

  private final Fleet fleet;
  private final Clock clock;
  private final Set<Client> clients = new HashSet<>();
  private final Map<TierKey, Integer> indexes = new HashMap<>();
  private final Map<Integer, TierKey> keys = new HashMap<>();
  private final Map<Integer, Details> details = new HashMap<>();
  private int nextIndex;
  private int flushes;

  RowStream(Vertx vertx, Fleet fleet, Clock clock) {
    this.fleet = fleet;
    this.clock = clock;
    fleet.onChange(this::changed);
    fleet.onRemove(this::removed);
    vertx.setPeriodic(FLUSH_MILLIS, timer -> flush());
  }

  void open(HttpServerResponse response) {
    if (clients.size() >= MAX_CLIENTS) {
      throw ApiException.unavailable("Too many streams", MAX_CLIENTS + " clients are connected");
    }
    Client client = new Client(response);
    response.exceptionHandler(failure -> clients.remove(client));
    response.closeHandler(closed -> clients.remove(client));
    Responses.head(response, "text/event-stream").setChunked(true);
    List<Indexed> tiers = fleet.tiers().stream().map(this::indexed).toList();
    write(client, "snapshot", SNAPSHOT.encode(new Snapshot(clock.millis(), tiers)));
    clients.add(client);
  }

  private Indexed indexed(Tier tier) {
    int index = index(tier.key());
    TierView view = fleet.view(tier);
    // Not replaced, because other clients may still need an update against the stored details.
    details.putIfAbsent(index, Details.of(view));
    return new Indexed(index, view);
  }

  private int index(TierKey key) {
    return indexes.computeIfAbsent(
        key,
        k -> {
          keys.put(nextIndex, k);
          return nextIndex++;
        });
  }

  private void changed(Tier tier) {
    if (!clients.isEmpty()) {
      int index = index(tier.key());
      clients.forEach(client -> client.rows.set(index));
    }
  }

  private void removed(Tier tier) {
    Integer index = indexes.remove(tier.key());
    if (index != null) {
      keys.remove(index);
      details.remove(index);
      clients.forEach(client -> client.complete.set(index));
    }
  }

  private void flush() {
    boolean heartbeat = flushes++ % HEARTBEAT_FLUSHES == 0;
    BitSet wanted = new BitSet();
    clients.forEach(client -> wanted.or(client.rows));
    Map<Integer, TierView> views = new HashMap<>();
    BitSet changed = new BitSet();
    wanted.stream().forEach(index -> refresh(index, views, changed));
    for (Client client : Set.copyOf(clients)) {
      BitSet changedRows = (BitSet) client.rows.clone();
      changedRows.and(changed);
      client.complete.or(changedRows);
      if (client.isWritable()) {
        send(client, views, heartbeat);
      }
    }
  }

  /** Adds a tier's view to {@code views}, and to {@code changed} if its details have changed. */
  private void refresh(int index, Map<Integer, TierView> views, BitSet changed) {
    Tier tier = tier(index);
    if (tier == null) {
      changed.set(index);
      return;
    }
    TierView view = fleet.view(tier);
    Details latest = Details.of(view);
    if (!latest.equals(details.put(index, latest))) {
      changed.set(index);
    }
    views.put(index, view);
  }

  private Tier tier(int index) {
    TierKey key = keys.get(index);
    return key == null ? null : fleet.tier(key);
  }

  private void send(Client client, Map<Integer, TierView> views, boolean heartbeat) {
    client.complete.stream().forEach(index -> sendTier(client, index));
    client.rows.andNot(client.complete);
    client.complete.clear();
    if (!client.rows.isEmpty() || heartbeat) {
      int count = client.rows.cardinality();
      StringBuilder text = new StringBuilder(ROW_CHARACTERS * (count + 1));
      text.append("{\"nowMillis\":").append(clock.millis()).append(",\"rows\":[");
      client.rows.stream().forEach(index -> row(text, index, views.get(index)));
      client.rows.clear();
      if (count > 0) {
        text.setLength(text.length() - 1);
      }
      write(client, "rows", text.append("]}").toString().getBytes(UTF_8));
    }
  }

  private void sendTier(Client client, int index) {
    Tier tier = tier(index);
    if (tier == null) {
      write(client, "withdrawn", ("{\"index\":" + index + "}").getBytes(UTF_8));
    } else {
      write(client, "tier", INDEXED.encode(new Indexed(index, fleet.view(tier))));
    }
  }

  /** The client derives the other numbers, such as the utilization. */
  private static void row(StringBuilder text, int index, TierView view) {
    text.append('[').append(index);
    text.append(',').append(view.desiredBytes());
    text.append(',').append(view.capacityBytes());
    text.append(',').append(view.usedBytes());
    text.append(',').append(view.unevictableBytes());
    text.append(',').append(view.memoryUsedBytes());
    text.append(',').append(view.memoryTotalBytes());
    text.append(',').append(view.sampledMillis());
    var decision = view.lastDecision();
    if (decision == null) {
      text.append(",null");
    } else {
      text.append(",\"").append(decision.limitedBy()).append('"');
    }
    text.append(',').append(view.unpersistedBytes());
    text.append(',').append(view.hitRatio()).append("],");
  }

  private static void write(Client client, String name, byte[] json) {
    if (!client.response.ended() && !client.response.closed()) {
      // A failed write means that the client is gone, and the close handler removes it.
      var unusedFuture =
          client.response.write(
              Buffer.buffer("event: " + name + "\ndata: ").appendBytes(json).appendString("\n\n"));
    }
  }
}
