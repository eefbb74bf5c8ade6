package io.dynims.tier;

import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Serves the Tier API for one store: {@code GET} and {@code PUT /v1/tier}, {@code GET
 * /v1/tier/decisions} (what the guard decided), {@code GET /healthz} (the server runs) and {@code
 * GET /readyz} (the store answers, too). It also runs the guard of the node.
 *
 * <p>{@code PUT} answers 200 if the desired capacity is in force, 202 if another one is, 400 if a
 * field is invalid, 409 if the sample is older than the last one applied, 421 if the policy is of
 * another node, and 503 if the store is unavailable. Errors are {@link Problem} documents.
 */
public final class TierServer implements AutoCloseable {

  static {
    // The JDK's server leaves Nagle's algorithm on, which costs 40 ms per answer. Read only once.
    System.setProperty("sun.net.httpserver.nodelay", "true");
  }

  private static final int THREADS = 4;

  private final HttpServer http;
  private final ExecutorService threads;
  private final LeasedTier tier;
  private final Optional<GuardLoop> guard;

  private TierServer(HttpServer http, LeasedTier tier, Optional<GuardLoop> guard) {
    this.http = http;
    this.tier = tier;
    this.guard = guard;
    AtomicInteger count = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            THREADS, task -> new Thread(task, "tier-api-" + count.incrementAndGet()));
  }

  /**
   * Starts the server.
   *
   * @param address where to listen; port 0 takes any free one
   * @param store the store to serve
   * @param guard what the node's guard needs
   * @param filters see each request and its answer, and may answer it themselves, as for metrics
   * @throws IOException if the server cannot listen on the address
   */
  public static TierServer start(
      InetSocketAddress address, TierStore store, GuardSettings guard, Filter... filters)
      throws IOException {
    HttpServer http;
    try {
      http = HttpServer.create(address, 0);
    } catch (IOException e) {
      throw new IOException("cannot listen on " + address + ": " + e.getMessage(), e);
    }
    LeasedTier tier = new LeasedTier(store, guard, System::nanoTime);
    Optional<GuardLoop> loop =
        guard
            .sampler()
            .map(sampler -> new GuardLoop(tier, sampler, Clock.systemUTC(), System::nanoTime));
    TierServer server = new TierServer(http, tier, loop);
    http.createContext("/", new TierHandler(tier)).getFilters().addAll(List.of(filters));
    http.setExecutor(server.threads);
    http.start();
    loop.ifPresent(GuardLoop::start);
    return server;
  }

  /** The server's base address, such as {@code http://127.0.0.1:7070}. */
  public URI uri() {
    InetSocketAddress address = http.getAddress();
    String host = address.getAddress().getHostAddress();
    return URI.create(
        "http://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort());
  }

  /**
   * The state that {@code GET /v1/tier} answers; does not wait for a resize in progress.
   *
   * @throws StoreUnavailableException if the store is unavailable
   */
  public TierStatus status() throws StoreUnavailableException {
    return tier.status();
  }

  @Override
  public void close() {
    http.stop(0);
    threads.shutdown();
    guard.ifPresent(GuardLoop::close);
  }
}
