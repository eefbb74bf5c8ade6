package io.dynims.controller.api;

import io.dynims.controller.fleet.FleetChanges;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.time.Clock;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * The clients of the event streams. Ten times per second, one query to the fleet gets what has
 * changed for all of them; without clients, there is none. A client that opens a stream gets its
 * snapshot with the next of these queries.
 */
final class EventStreams {

  private static final Logger LOG = LogManager.getLogger(EventStreams.class);
  private static final long FLUSH_MILLIS = 100;
  private static final int FLUSHES_PER_BEAT = 10;

  private final Vertx vertx;
  private final FleetReader fleet;
  private final Clock clock;
  private final RestConnections connections;
  private final LatestTiers tiers = new LatestTiers();
  private final Set<EventClient> opening = new LinkedHashSet<>();
  private final Set<EventClient> clients = new LinkedHashSet<>();
  private boolean reading;
  private boolean collecting;
  private int flushes;

  EventStreams(Vertx vertx, FleetReader fleet, Clock clock, RestConnections connections) {
    this.vertx = vertx;
    this.fleet = fleet;
    this.clock = clock;
    this.connections = connections;
    flushLater();
  }

  /** Not periodic: after a pause of the process, flushes must not come in a burst. */
  private void flushLater() {
    vertx.setTimer(
        FLUSH_MILLIS,
        timer -> {
          flushLater();
          flush();
        });
  }

  /** Opens a stream, of rows or of complete tiers. */
  void open(RoutingContext request, boolean rows) {
    int most = connections.limits().streams();
    if (opening.size() + clients.size() >= most) {
      throw ApiException.unavailable("Too many streams", most + " clients are connected");
    }
    Responses.head(request.response(), "text/event-stream")
        // nginx would keep events back until it has a buffer full of them.
        .putHeader("X-Accel-Buffering", "no")
        .setChunked(true);
    EventQueue queue = rows ? new RowEvents(clock) : new TierEvents();
    EventClient client = new EventClient(request.request(), queue);
    opening.add(client);
    request.addEndHandler(
        ended -> {
          opening.remove(client);
          clients.remove(client);
        });
  }

  /** Written bytes that no client has accepted yet. */
  long unacceptedBytes() {
    return clients.stream().mapToLong(client -> client.writer().unacceptedBytes()).sum();
  }

  private void flush() {
    disconnectStalled();
    if (reading) {
      return;
    }
    if (!opening.isEmpty()) {
      collecting = true;
      read(FleetChanges::readAll, List.copyOf(opening));
    } else if (!clients.isEmpty()) {
      read(FleetChanges::readChanged, List.of());
    } else if (collecting) {
      collecting = false;
      tiers.clear();
      run(
          changes -> {
            changes.stop();
            return null;
          });
    }
  }

  private void disconnectStalled() {
    long most = connections.limits().stalledMillis() / FLUSH_MILLIS;
    for (EventClient client : List.copyOf(clients)) {
      if (client.countStalled() > most) {
        connections.disconnect(client.request().connection());
      }
    }
  }

  private void read(Function<FleetChanges, FleetChanges.Update> query, List<EventClient> started) {
    reading = true;
    run(query)
        .onComplete(ignored -> reading = false)
        .onSuccess(update -> send(update, started))
        .onFailure(failure -> LOG.error("cannot read the fleet for the streams", failure));
  }

  private <T> Future<T> run(Function<FleetChanges, T> query) {
    return fleet.read(unused -> query.apply(fleet.changes()));
  }

  private void send(FleetChanges.Update update, List<EventClient> started) {
    LatestTiers.Changes changes = tiers.apply(update);
    clients.forEach(client -> client.queue().add(changes));
    List<LatestTier> all = started.isEmpty() ? List.of() : tiers.all();
    for (EventClient client : started) {
      if (opening.remove(client)) {
        client.queue().start(all);
        clients.add(client);
      }
    }
    if (flushes++ % FLUSHES_PER_BEAT == 0) {
      clients.forEach(client -> client.queue().beat());
    }
    List.copyOf(clients).forEach(client -> client.writer().write());
  }
}
