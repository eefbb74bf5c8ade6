package io.dynims.memcached;

import io.dynims.adapter.runtime.AdapterMetrics;
import io.dynims.adapter.runtime.LimitedStore;
import io.dynims.adapter.runtime.StoreReading;
import io.dynims.memcached.MemcachedConnection.UnauthenticatedException;
import io.dynims.memcached.SlabClasses.SlabClass;
import io.dynims.tier.StoreUnavailableException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * One memcached server. A lower limit alone returns no memory: pages stay with their class of
 * items. So each step also takes pages from classes and gives them back to the system, one after
 * the other; the server moves a page in the background and says BUSY meanwhile.
 */
final class MemcachedServer implements LimitedStore {

  private static final Logger LOG = LogManager.getLogger(MemcachedServer.class);
  private static final long MEBIBYTE = 1L << 20;

  /** The server takes no lower limit. */
  static final long LEAST_BYTES = 8 * MEBIBYTE;

  private static final int PAGES_PER_STEP = 16;
  private static final long BUSY_MICROS = 200;
  private static final long BUSY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final MemcachedSettings settings;
  private volatile MemcachedConnection commands;

  /** Of its own, so that no reading waits for a step. */
  private volatile MemcachedConnection readings;

  /** Empty while there is no connection. */
  private volatile SlabClasses lastSlabs = SlabClasses.NONE;

  MemcachedServer(MemcachedSettings settings) {
    this.settings = settings;
  }

  @Override
  public void connect() throws StoreUnavailableException {
    if (isOpen(commands) && isOpen(readings)) {
      return;
    }
    close();
    try {
      readings = new MemcachedConnection(settings.server(), settings.credentials());
      commands = new MemcachedConnection(settings.server(), settings.credentials());
      Map<String, String> facts = readings.statistics("stats settings");
      check(
          !"no".equals(facts.get("slab_reassign")), "no_slab_reassign: it never gives memory back");
      check(
          !"off".equals(facts.get("evictions")),
          "-M: with less memory it would refuse writes instead of evicting");
    } catch (IOException e) {
      throw away(e);
    }
  }

  private void check(boolean usable, String otherwise) throws StoreUnavailableException {
    if (!usable) {
      close();
      throw new StoreUnavailableException(
          address() + " was started with " + otherwise + "; start it without", null);
    }
  }

  @Override
  public StoreReading read() throws StoreUnavailableException {
    MemcachedConnection connection = required(readings);
    try {
      Map<String, String> all = connection.statistics("stats");
      SlabClasses slabs = slabs(connection);
      lastSlabs = slabs;
      long usedBytes = number(all, "bytes");
      return new StoreReading(
          number(all, "limit_maxbytes"),
          usedBytes,
          Math.max(usedBytes, slabs.allocatedBytes()) + number(all, "hash_bytes"),
          number(all, "get_hits"),
          number(all, "get_misses"),
          "memcached " + all.get("version"));
    } catch (IOException e) {
      throw away(e);
    }
  }

  @Override
  public long rounded(long goalBytes) {
    return Math.max(LEAST_BYTES, goalBytes / MEBIBYTE * MEBIBYTE);
  }

  @Override
  public boolean step(long goalBytes) throws StoreUnavailableException, InterruptedException {
    MemcachedConnection connection = required(commands);
    try {
      String answer = connection.command("cache_memlimit " + goalBytes / MEBIBYTE);
      if (!answer.equals("OK")) {
        throw new StoreUnavailableException(
            address() + " does not take a limit of " + goalBytes + " bytes: " + answer, null);
      }
      for (int i = 0; i < PAGES_PER_STEP; i++) {
        SlabClasses slabs = slabs(connection);
        if (slabs.allocatedBytes() <= goalBytes || !giveBack(connection, slabs.givers())) {
          return true;
        }
      }
      return false;
    } catch (IOException e) {
      throw away(e);
    }
  }

  /** Takes a page from the first class that gives one; false if none does. */
  private static boolean giveBack(MemcachedConnection connection, List<SlabClass> givers)
      throws IOException, InterruptedException {
    for (SlabClass giver : givers) {
      long beginNanos = System.nanoTime();
      String answer = reassign(connection, giver);
      while (answer.startsWith("BUSY") && System.nanoTime() - beginNanos < BUSY_NANOS) {
        TimeUnit.MICROSECONDS.sleep(BUSY_MICROS);
        answer = reassign(connection, giver);
      }
      if (answer.equals("OK")) {
        return true;
      }
      LOG.debug("class {} gives no page: {}", giver.id(), answer);
    }
    return false;
  }

  /** Class 0 is the system, as long as the server has more than its limit. */
  private static String reassign(MemcachedConnection connection, SlabClass giver)
      throws IOException {
    return connection.command("slabs reassign " + giver.id() + " 0");
  }

  private static SlabClasses slabs(MemcachedConnection connection) throws IOException {
    try {
      return SlabClasses.parse(connection.statistics("stats slabs"));
    } catch (NumberFormatException e) {
      throw new IOException("stats slabs: " + e.getMessage(), e);
    }
  }

  private static long number(Map<String, String> statistics, String name) throws IOException {
    try {
      return Long.parseLong(statistics.get(name));
    } catch (NumberFormatException e) {
      throw new IOException("stats says " + name + " " + statistics.get(name), e);
    }
  }

  private static boolean isOpen(MemcachedConnection connection) {
    return connection != null && connection.isOpen();
  }

  private MemcachedConnection required(MemcachedConnection connection)
      throws StoreUnavailableException {
    if (!isOpen(connection)) {
      throw new StoreUnavailableException(address() + " is not connected", null);
    }
    return connection;
  }

  private StoreUnavailableException away(IOException e) {
    close();
    String what = "does not answer";
    if (e instanceof UnauthenticatedException) {
      what =
          settings
              .passwordFile()
              .map(file -> "refuses the user and the password in " + file)
              .orElse("asks for a user and a password, store.password.file");
    }
    return new StoreUnavailableException(address() + " " + what + ": " + e.getMessage(), e);
  }

  private String address() {
    return settings.server().getHostString() + ":" + settings.server().getPort();
  }

  @Override
  public void register(AdapterMetrics metrics) {
    metrics.byteGauges(
        "slab", "class", "Pages of a class of items", () -> lastSlabs.bytesByClass());
  }

  /** The limit stays as it is. */
  @Override
  public void close() {
    lastSlabs = SlabClasses.NONE;
    MemcachedConnection first = commands;
    MemcachedConnection second = readings;
    commands = null;
    readings = null;
    if (first != null) {
      first.close();
    }
    if (second != null) {
      second.close();
    }
  }
}
