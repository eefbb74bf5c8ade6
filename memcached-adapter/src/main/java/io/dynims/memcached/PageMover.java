package io.dynims.memcached;

import io.dynims.memcached.SlabClasses.SlabClass;
import io.dynims.runtime.log.RateLimit;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Gives pages of a server's classes back to the system. The server moves one page at a time, in the
 * background, and says BUSY meanwhile.
 *
 * <p>A server also moves pages between its classes. From 1.6.34 on such a move gets stuck if it
 * began while the server had less than its limit, as after each higher limit: the page waits for
 * room in its class, and no other page can be moved, before 1.6.41 for good. Before 1.6.41, {@code
 * slab_automove=2} also crashes the server. So there only the adapter moves pages.
 */
final class PageMover {

  private static final Logger LOG = LogManager.getLogger(PageMover.class);

  /** The servers that get stuck have this statistic. */
  private static final String GETS_STUCK = "slab_reassign_busy_nomem";

  private static final int PAGES_PER_STEP = 16;
  private static final long LEAST_WAIT_MICROS = 200;
  private static final long MOST_WAIT_MICROS = 20_000;
  private static final long LONG_BUSY_NANOS = TimeUnit.SECONDS.toNanos(5);

  private enum Result {
    MOVED,
    BUSY,
    NOTHING
  }

  private final String address;
  private final MemcachedConnection connection;
  private final RateLimit busyLog = new RateLimit(TimeUnit.MINUTES.toMillis(1));
  private final boolean serverGetsStuck;
  private boolean isLogged;

  /** Null unless the last answer was BUSY. */
  private Long busySinceNanos;

  /**
   * The pages of a server.
   *
   * @param settings what the server answers to {@code stats settings}
   * @throws IOException if the connection is lost
   */
  PageMover(String address, MemcachedConnection connection, Map<String, String> settings)
      throws IOException {
    this.address = address;
    this.connection = connection;
    serverGetsStuck = connection.statistics("stats").containsKey(GETS_STUCK);
    isLogged = "0".equals(settings.get("slab_automove"));
  }

  /**
   * Keeps a server that would get stuck from moving pages itself. Before each change of the limit,
   * since somebody else may have switched it on again.
   *
   * @throws IOException if the connection is lost, or the server refuses
   */
  void stopServer() throws IOException {
    if (!serverGetsStuck) {
      return;
    }
    String answer = connection.command("slabs automove 0");
    if (!answer.equals("OK")) {
      throw new IOException("slabs automove 0: " + answer);
    }
    if (!isLogged) {
      isLogged = true;
      LOG.info(
          "{}: switched slab_automove off, which keeps this version from giving memory back",
          address);
    }
  }

  /**
   * Gives back pages until the server has no more than the goal, or for some milliseconds.
   *
   * @param goalBytes what all pages may have
   * @return whether all pages are given back that can be
   * @throws IOException if the connection is lost
   */
  boolean giveBack(long goalBytes) throws IOException, InterruptedException {
    for (int i = 0; i < PAGES_PER_STEP; i++) {
      SlabClasses slabs = SlabClasses.read(connection);
      Result result =
          slabs.allocatedBytes() > goalBytes ? giveBack(slabs.givers()) : Result.NOTHING;
      noteBusy(result == Result.BUSY);
      if (result != Result.MOVED) {
        return result == Result.NOTHING;
      }
    }
    return false;
  }

  /** Takes a page from the first class that gives one. */
  private Result giveBack(List<SlabClass> givers) throws IOException, InterruptedException {
    for (SlabClass giver : givers) {
      String answer = reassign(giver);
      for (long micros = LEAST_WAIT_MICROS;
          answer.startsWith("BUSY") && micros <= MOST_WAIT_MICROS;
          micros *= 2) {
        TimeUnit.MICROSECONDS.sleep(micros);
        answer = reassign(giver);
      }
      if (answer.startsWith("BUSY")) {
        return Result.BUSY;
      }
      if (answer.equals("OK")) {
        return Result.MOVED;
      }
      LOG.debug("class {} gives no page: {}", giver.id(), answer);
    }
    return Result.NOTHING;
  }

  /** Class 0 is the system, as long as the server has more than its limit. */
  private String reassign(SlabClass giver) throws IOException {
    return connection.command("slabs reassign " + giver.id() + " 0");
  }

  private void noteBusy(boolean busy) {
    long nowNanos = System.nanoTime();
    if (!busy) {
      busySinceNanos = null;
    } else if (busySinceNanos == null) {
      busySinceNanos = nowNanos;
    } else if (nowNanos - busySinceNanos > LONG_BUSY_NANOS
        && busyLog.permit(TimeUnit.NANOSECONDS.toMillis(nowNanos))) {
      LOG.warn(
          "{} gives no memory back: it has been moving one page for {} s. A client has sent or"
              + " received a part of a value only, or the server is stuck and has to be restarted",
          address,
          TimeUnit.NANOSECONDS.toSeconds(nowNanos - busySinceNanos));
    }
  }
}
