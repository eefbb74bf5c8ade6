package io.dynims.controller;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.kafka.HistoryReader;
import io.dynims.controller.kafka.HistorySink;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import java.time.Clock;
import java.util.List;
import java.util.function.Predicate;

/**
 * The fleet's history in Kafka: read once after the start, and written by the replica that pushes
 * to the tier. For the event loop, except for the receiver's methods.
 */
final class FleetHistory implements HistoryReader.Receiver, AutoCloseable {

  /** Decisions arrive some time after they are made. */
  private static final long DELAY_MILLIS = 2_000;

  /** A replica that takes over rewrites what its predecessor may not have written. */
  private static final long TAKEOVER_MILLIS = 60_000;

  private final ControllerSettings settings;
  private final Clock clock;
  private final Fleet fleet;
  private final EventLoop loop;
  private final HistorySink sink;
  private volatile HistoryReader reader;
  private boolean complete;

  FleetHistory(
      ControllerSettings settings, Clock clock, Fleet fleet, EventLoop loop, Runnable onDrop) {
    this.settings = settings;
    this.clock = clock;
    this.fleet = fleet;
    this.loop = loop;
    this.sink = new HistorySink(settings.kafka(), onDrop);
    fleet.onPolicies(this::readOnce);
  }

  /** Starts to read as soon as there are tiers, since history of unknown tiers is ignored. */
  private void readOnce() {
    if (reader == null && !fleet.isEmpty()) {
      reader = new HistoryReader(settings.kafka(), clock, settings.history().inAll(), this);
    }
  }

  /**
   * Writes what to keep of the time that has passed; to be called periodically.
   *
   * @param pushes whether this replica pushes to a tier
   */
  void write(Predicate<TierKey> pushes) {
    // Not before everything was read, because it may belong to what is to be kept.
    if (complete) {
      long nowMillis = clock.millis();
      List<Target> kept =
          fleet.drainHistory(
              key -> nowMillis - (pushes.test(key) ? DELAY_MILLIS : TAKEOVER_MILLIS));
      sink.write(kept.stream().filter(decision -> pushes.test(decision.key())).toList());
    }
  }

  @Override
  public void acceptHistory(List<Target> batch) throws InterruptedException {
    loop.executeAndWait(() -> fleet.restoreHistory(batch));
  }

  @Override
  public void acceptTargets(List<Target> batch) throws InterruptedException {
    loop.executeAndWait(() -> fleet.recordEarlier(batch));
  }

  @Override
  public void finished() {
    loop.execute(() -> complete = true);
  }

  /** For use by any thread. */
  @Override
  public void close() {
    if (reader != null) {
      reader.close();
    }
    sink.close();
  }
}
