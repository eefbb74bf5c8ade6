package io.dynims.memcached;

import io.dynims.adapter.runtime.AdapterMetrics;
import io.dynims.adapter.runtime.LimitedStore;
import io.dynims.adapter.runtime.StoreReading;
import io.dynims.memcached.MemcachedConnection.UnauthenticatedException;
import io.dynims.tier.StoreUnavailableException;
import java.io.IOException;
import java.util.Map;

/**
 * One memcached server. A lower limit alone returns no memory: pages stay with their class of
 * items. So each step also takes pages from classes and gives them back to the system.
 */
final class MemcachedServer implements LimitedStore {

  private static final long MEBIBYTE = 1L << 20;

  /** The server takes no lower limit. */
  static final long LEAST_BYTES = 8 * MEBIBYTE;

  private final MemcachedSettings settings;
  private volatile MemcachedConnection commands;

  /** For connecting and steps alone, of which there is one at a time. */
  private PageMover pages;

  /** Of its own, so that no reading waits for a step. */
  private volatile MemcachedConnection readings;

  /** Empty while there is no connection. */
  private volatile SlabClasses lastSlabs = SlabClasses.NONE;

  MemcachedServer(MemcachedSettings settings) {
    this.settings = settings;
  }

  @Override
  public boolean isInProcess() {
    return true;
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
      pages = new PageMover(address(), commands, facts);
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
      SlabClasses slabs = SlabClasses.read(connection);
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
      pages.stopServer();
      String answer = connection.command("cache_memlimit " + goalBytes / MEBIBYTE);
      if (!answer.equals("OK")) {
        throw new StoreUnavailableException(
            address() + " does not take a limit of " + goalBytes + " bytes: " + answer, null);
      }
      return pages.giveBack(goalBytes);
    } catch (IOException e) {
      throw away(e);
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
