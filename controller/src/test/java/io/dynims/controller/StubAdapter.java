package io.dynims.controller;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.WireException;
import io.dynims.tier.GuardDecisions;
import io.dynims.tier.GuardState;
import io.dynims.tier.TierApi;
import io.dynims.tier.TierRequest;
import io.dynims.tier.TierStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** An adapter with a guard as far as the controller can see; it follows every policy it is sent. */
public final class StubAdapter implements AutoCloseable {

  /** Every request that came. */
  public final List<TierRequest> requests = new CopyOnWriteArrayList<>();

  /** The query of every request for decisions that came. */
  public final List<String> queries = new CopyOnWriteArrayList<>();

  private final List<Target> decisions = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final HttpServer server;
  private volatile String node;
  private volatile boolean away;
  private volatile boolean deciding;
  private volatile long capacityBytes = 1_000;
  private volatile Policy policy;

  /** An adapter of a node's tier {@code memory} on a free port of loopback. */
  public StubAdapter(String node) {
    this.node = node;
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext("/", this::handle);
    server.setExecutor(threads);
    server.start();
  }

  /** Its address. */
  public URI uri() {
    return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
  }

  /** The mode of the policy that the guard follows; null while it has none. */
  public Mode mode() {
    return policy == null ? null : policy.mode();
  }

  /** The capacity in force. */
  public long capacityBytes() {
    return capacityBytes;
  }

  /** As after an earlier push. */
  public void setCapacityBytes(long bytes) {
    capacityBytes = bytes;
  }

  /** Serves another node from now on. */
  public void serve(String otherNode) {
    node = otherNode;
  }

  /** Answers with 503, or no longer. */
  public void setAway(boolean isAway) {
    away = isAway;
  }

  /** Whether the guard decides because the lease has run out. */
  public void setDeciding(boolean isDeciding) {
    deciding = isDeciding;
  }

  /** As after a restart without a state file. */
  public void forgetPolicy() {
    policy = null;
  }

  /** What a guard that was told so before its restart follows. */
  public void follow(Policy known) {
    policy = known;
  }

  /** Adds a decision of the guard. */
  public void decide(Target decision) {
    decisions.add(decision.byGuard("for a test"));
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      byte[] body = exchange.getRequestBody().readAllBytes();
      if (away) {
        answer(exchange, 503, "{\"title\":\"Store unavailable\",\"status\":503}".getBytes(UTF_8));
      } else if (exchange.getRequestURI().getPath().endsWith("/decisions")) {
        answer(exchange, 200, TierApi.DECISIONS.encode(page(exchange.getRequestURI().getQuery())));
      } else {
        if (exchange.getRequestMethod().equals("PUT")) {
          put(TierApi.REQUEST.decode(body));
        }
        answer(exchange, 200, TierApi.STATUS.encode(status()));
      }
    } catch (WireException e) {
      throw new IOException(e);
    }
  }

  private GuardDecisions page(String query) {
    queries.add(query);
    long sinceMillis = Long.parseLong(query.replaceAll(".*since=([0-9-]+).*", "$1"));
    return new GuardDecisions(
        decisions.stream().filter(d -> d.decidedMillis() > sinceMillis).limit(64).toList());
  }

  private void put(TierRequest request) {
    requests.add(request);
    capacityBytes = request.desiredBytes();
    policy = request.policy() == null ? policy : request.policy();
    deciding = false;
  }

  private TierStatus status() {
    boolean guarded = policy != null && policy.mode() == Mode.Enforce;
    return new TierStatus(
        node,
        "memory",
        capacityBytes,
        0,
        1_000,
        50,
        1_000 - capacityBytes,
        0,
        null,
        null,
        "1",
        null,
        null,
        !deciding,
        guarded ? deciding ? GuardState.Deciding : GuardState.Standby : null,
        decisions.isEmpty() ? null : decisions.get(decisions.size() - 1).decidedMillis(),
        null,
        null,
        null,
        null);
  }

  private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
    exchange.sendResponseHeaders(status, body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
