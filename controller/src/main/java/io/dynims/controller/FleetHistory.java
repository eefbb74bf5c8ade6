package io.dynims.controller;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.kafka.HistoryReader;
import io.dynims.controller.kafka.HistorySink;
import io.dynims.core.wire.Target;
import io.vertx.core.Context;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * The fleet's history in Kafka: read once after the start, and written by the replica that pushes.
 * Everything but the receiver's methods is for the event loop.
 */
final class FleetHistory implements HistoryReader.Receiver, AutoCloseable {

  /** A decision comes to be known some time after it was made. */
  private static final long LATE_MILLIS = 2_000;

  /** A replica that takes over writes again what the one before it may not have written. */
  private static final long TAKE_OVER_MILLIS = 60_000;

  private final ControllerSettings settings;
  private final Clock clock;
  private final Fleet fleet;
  private final Context loop;
  private final HistorySink sink;
  private volatile HistoryReader reader;
  private boolean isRead;

  FleetHistory(
      ControllerSettings settings, Clock clock, Fleet fleet, Context loop, Runnable onDrop) {
    this.settings = settings;
    this.clock = clock;
    this.fleet = fleet;
    this.loop = loop;
    this.sink = new HistorySink(settings.kafka(), onDrop);
  }

  /** Reads, unless that was begun, and as soon as there are tiers to remember something of. */
  void read() {
    if (reader == null && !fleet.isEmpty()) {
      reader = new HistoryReader(settings.kafka(), clock, settings.history().inAll(), this);
    }
  }

  /** Writes what is to be kept of the time that is over; to be called now and then. */
  void write(boolean pushes) {
    // What was read may belong to what is to be kept.
    if (isRead) {
      long lagMillis = pushes ? LATE_MILLIS : TAKE_OVER_MILLIS;
      List<Target> closed = fleet.closed(clock.millis() - lagMillis);
      if (pushes) {
        sink.write(closed);
      }
    }
  }

  @Override
  public void kept(List<Target> batch) throws InterruptedException {
    take(loop, () -> fleet.restore(batch));
  }

  @Override
  public void decided(List<Target> batch) throws InterruptedException {
    take(loop, () -> fleet.remember(batch));
  }

  @Override
  public void done() {
    loop.runOnContext(ignored -> isRead = true);
  }

  /** Has the event loop do something, and waits for it: who reads Kafka does not get ahead. */
  static void take(Context loop, Runnable task) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(1);
    loop.runOnContext(
        ignored -> {
          try {
            task.run();
          } finally {
            done.countDown();
          }
        });
    done.await();
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
