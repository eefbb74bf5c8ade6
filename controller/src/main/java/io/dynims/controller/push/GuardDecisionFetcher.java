package io.dynims.controller.push;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.dynims.controller.fleet.Tier;
import io.dynims.core.wire.Decider;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.WireException;
import io.dynims.tier.TierApi;
import io.dynims.tier.TierStatus;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Fetches what the guards on the nodes have decided, on connections of its own so that no push
 * waits for it: at most one request per tier at a time, and one per second. A failed one is tried
 * again with the adapter's next answer. For use on one event loop.
 */
public final class GuardDecisionFetcher {

  private static final Logger LOG = LogManager.getLogger(GuardDecisionFetcher.class);
  private static final int MAX_RESPONSE_BYTES = 256 << 10;
  private static final long PAUSE_NANOS = SECONDS.toNanos(1);

  /** The last fetch for a tier. */
  private static final class Fetch {

    long startNanos;
    boolean running;
  }

  private final Map<TierKey, Fetch> fetches = new HashMap<>();
  private final HttpClient http;
  private final PushSettings settings;
  private final BiConsumer<Tier, List<Target>> receiver;

  /**
   * A fetcher.
   *
   * @param settings how adapters are called
   * @param receiver receives the decisions of a tier, oldest first
   */
  public GuardDecisionFetcher(
      Vertx vertx, PushSettings settings, BiConsumer<Tier, List<Target>> receiver) {
    this.settings = settings;
    this.receiver = receiver;
    this.http =
        vertx.createHttpClient(
            new HttpClientOptions()
                .setConnectTimeout((int) settings.timeoutMillis())
                .setKeepAliveTimeout(5)
                .setDecompressionSupported(false),
            new PoolOptions().setHttp1MaxSize(1));
  }

  /** Fetches the decisions that are not known yet, if the tier's status tells of any. */
  public void update(Tier tier, TierStatus status, long nowNanos) {
    URI adapter = tier.document().adapter();
    Long toldMillis = status.guardDecidedMillis();
    if (toldMillis == null || adapter == null || toldMillis == tier.guardDecidedMillis()) {
      return;
    }
    Fetch fetch = fetches.get(tier.key());
    if (fetch == null) {
      fetch = new Fetch();
      fetches.put(tier.key(), fetch);
    } else if (fetch.running || nowNanos - fetch.startNanos < PAUSE_NANOS) {
      return;
    }
    fetch.startNanos = nowNanos;
    // Where the node's clock was set back, what follows is taken for new.
    long sinceMillis = Math.min(tier.guardDecidedMillis(), toldMillis - 1);
    start(tier, adapter, sinceMillis, fetch);
  }

  /** Forgets a tier. */
  public void remove(TierKey key) {
    fetches.remove(key);
  }

  private void start(Tier tier, URI adapter, long sinceMillis, Fetch fetch) {
    fetch.running = true;
    get(adapter, sinceMillis)
        .map(body -> decisions(tier.key(), body))
        .onComplete(
            done -> {
              fetch.running = false;
              if (done.failed()) {
                LOG.debug("no decisions of the guard of {}: {}", tier.key(), done.cause());
              } else if (!done.result().isEmpty() && fetches.get(tier.key()) == fetch) {
                receiver.accept(tier, done.result());
                if (done.result().size() >= TierApi.MAX_DECISIONS) {
                  start(tier, adapter, tier.guardDecidedMillis(), fetch);
                }
              }
            });
  }

  private Future<Buffer> get(URI adapter, long sinceMillis) {
    RequestOptions options =
        AdapterEndpoint.requestOptions(adapter, settings.tls())
            .setMethod(HttpMethod.GET)
            .setURI(
                TierApi.DECISIONS_PATH
                    + "?since="
                    + sinceMillis
                    + "&limit="
                    + TierApi.MAX_DECISIONS)
            .setTimeout(settings.timeoutMillis());
    return http.request(options)
        .compose(request -> request.send().compose(GuardDecisionFetcher::body))
        .timeout(2 * settings.timeoutMillis(), MILLISECONDS);
  }

  private static Future<Buffer> body(HttpClientResponse response) {
    return response.statusCode() == 200
        ? ResponseBody.read(response, MAX_RESPONSE_BYTES)
        : ResponseBody.read(response, MAX_RESPONSE_BYTES)
            .compose(body -> Future.failedFuture("HTTP " + response.statusCode()));
  }

  private static List<Target> decisions(TierKey key, Buffer body) {
    try {
      List<Target> decisions = TierApi.DECISIONS.decode(body.getBytes()).decisions();
      boolean valid =
          decisions.size() <= TierApi.MAX_DECISIONS
              && decisions.stream().allMatch(d -> d.decidedBy() == Decider.Guard);
      if (!valid) {
        throw new IllegalArgumentException("not decisions of the guard of " + key);
      }
      return decisions;
    } catch (WireException e) {
      throw new IllegalArgumentException(e.getMessage(), e);
    }
  }
}
