package io.dynims.adapter.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.runtime.config.BuildVersion;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.GuardState;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierAccess;
import io.dynims.tier.TierApi;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierRequest;
import io.dynims.tier.TierServer;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code GET /metrics} over HTTP, of an in-memory tier. */
class MetricsTest {

  private static final long LEASE_MILLIS = 60_000;

  private final InMemoryTierStore store = new InMemoryTierStore("alluxio", 10, 1_000);
  private final HttpClient http = HttpClient.newHttpClient();
  @AutoClose private TierServer server;
  private TierClient client;

  @Test
  void reportsTheStateOfTheTier() throws Exception {
    serve(store);
    store.write(900);
    client.put(new TierRequest(600, 1, LEASE_MILLIS));

    assertThat(scrape())
        .contains("dynims_adapter_capacity_bytes{tier=\"alluxio\"} 600.0")
        .contains("dynims_adapter_used_bytes{tier=\"alluxio\"} 600.0")
        .contains("dynims_adapter_reserved_bytes{tier=\"alluxio\"} 400.0")
        .contains("dynims_adapter_unevictable_bytes{tier=\"alluxio\"} 0.0")
        .contains("dynims_adapter_min_bytes{tier=\"alluxio\"} 10.0")
        .contains("dynims_adapter_max_bytes{tier=\"alluxio\"} 1000.0")
        .contains("dynims_adapter_lease_held{tier=\"alluxio\"} 1.0")
        .contains("dynims_adapter_worker_up{tier=\"alluxio\"} 1.0")
        .contains("dynims_adapter_worker_connects_total{tier=\"alluxio\"} 3.0")
        .contains("dynims_build_info{tier=\"alluxio\",version=\"" + BuildVersion.text() + "\"} 1")
        .endsWith("# EOF\n");
  }

  @Test
  void countsConnectionsAlsoAfterACollectionOfGarbage() throws Exception {
    serve(store);
    AdapterMetrics metrics = metrics(new AtomicLong(7)::get);
    System.gc();
    assertThat(metrics.scrape())
        .contains("dynims_adapter_worker_connects_total{tier=\"alluxio\"} 7.0");
  }

  @Test
  void reportsGaugesWhoseLabelsComeAndGo() throws Exception {
    serve(store);
    AtomicReference<Map<String, Long>> bytes = new AtomicReference<>(Map.of("1", 10L, "2", 20L));
    AdapterMetrics metrics = metrics(() -> 0);
    metrics.byteGauges("slab", "class", "Pages", bytes::get);

    assertThat(metrics.scrape())
        .contains("dynims_adapter_slab_bytes{class=\"1\",tier=\"alluxio\"} 10.0")
        .contains("dynims_adapter_slab_bytes{class=\"2\",tier=\"alluxio\"} 20.0");

    bytes.set(Map.of("2", 30L));
    System.gc();
    assertThat(metrics.scrape())
        .contains("dynims_adapter_slab_bytes{class=\"2\",tier=\"alluxio\"} 30.0")
        .doesNotContain("class=\"1\"");
  }

  @Test
  void reportsAGaugeOfTheStoreAlsoAfterACollectionOfGarbage() throws Exception {
    serve(store);
    AdapterMetrics metrics = metrics(() -> 0);
    metrics.gauge("ranks", "Processes", new AtomicLong(4)::doubleValue);
    System.gc();

    assertThat(metrics.scrape()).contains("dynims_adapter_ranks{tier=\"alluxio\"} 4.0");
  }

  @Test
  void reportsNoStateWhileTheWorkerIsUnavailable() throws Exception {
    serve(store);
    store.setAway(true);

    assertThat(scrape())
        .contains("dynims_adapter_worker_up{tier=\"alluxio\"} 0.0")
        .contains("dynims_adapter_capacity_bytes{tier=\"alluxio\"} NaN")
        .contains("dynims_adapter_lease_held{tier=\"alluxio\"} NaN");
  }

  /** The guard has no policy while the tier is paused, or in mode Recommend or Off. */
  @ParameterizedTest
  @CsvSource({"true, Standby, 1.0", "false, Deciding, 0.0", "false, , NaN", ", , NaN"})
  void reportsALeaseThatHasEndedOnlyToGuardsWithAPolicy(
      Boolean leaseHeld, GuardState guard, String reported) throws Exception {
    serve(store);
    AdapterMetrics metrics = metrics(() -> 0);
    metrics.setSource(
        () ->
            new TierStatus(
                "node", "alluxio", 1_000, 10, 1_000, 0, 0, 0, null, null, "1", null, null,
                leaseHeld, guard, null, null, null, null, null));

    assertThat(metrics.scrape())
        .contains("dynims_adapter_lease_held{tier=\"alluxio\"} " + reported);
  }

  @Test
  void reportsWhatServedTheReads() throws Exception {
    serve(
        new Delegate() {
          @Override
          public TierStatus status() {
            return new TierStatus(
                "alluxio", 1_000, 10, 1_000, 0, 0, 0, null, 0.75, "1", null, null);
          }
        });

    assertThat(scrape())
        .contains("dynims_adapter_hit_ratio{tier=\"alluxio\"} 0.75")
        .contains("dynims_adapter_block_reads_total{source=\"tier\",tier=\"alluxio\"} 288.0")
        .contains("dynims_adapter_block_reads_total{source=\"store\",tier=\"alluxio\"} 520.0");
  }

  @Test
  void reportsNoHitRatioWhileItIsUnknown() throws Exception {
    serve(store);

    assertThat(scrape()).contains("dynims_adapter_hit_ratio{tier=\"alluxio\"} NaN");
  }

  @Test
  void countsResizeRequestsByOutcome() throws Exception {
    serve(store);
    client.put(new TierRequest(500, 10, LEASE_MILLIS));
    client.put(new TierRequest(5, 11, LEASE_MILLIS));
    client.put(new TierRequest(400, 9, LEASE_MILLIS));
    put("{\"desiredBytes\":-1}");
    // It is refused before it is known to be a resize request.
    put(" ".repeat(20_000));
    store.setAway(true);
    client.put(new TierRequest(300, 12, LEASE_MILLIS));
    client.get();

    assertThat(scrape())
        .contains("dynims_adapter_resizes_total{outcome=\"Applied\",tier=\"alluxio\"} 1.0")
        .contains("dynims_adapter_resizes_total{outcome=\"Partial\",tier=\"alluxio\"} 1.0")
        .contains("dynims_adapter_resizes_total{outcome=\"Outdated\",tier=\"alluxio\"} 1.0")
        .contains("dynims_adapter_resizes_total{outcome=\"Invalid\",tier=\"alluxio\"} 1.0")
        .contains("dynims_adapter_resizes_total{outcome=\"Unavailable\",tier=\"alluxio\"} 1.0")
        .contains("dynims_adapter_resizes_total{outcome=\"Failed\",tier=\"alluxio\"} 0.0")
        .contains("dynims_adapter_resize_seconds_count{tier=\"alluxio\"} 5")
        .contains("dynims_adapter_resize_seconds_bucket{tier=\"alluxio\",le=\"0.04\"}");
  }

  @Test
  void countsAResizeThatFailsInTheAdapter() throws Exception {
    serve(
        new Delegate() {
          @Override
          public TierStatus resize(long desiredBytes) {
            throw new IllegalStateException("a bug");
          }
        });
    client.put(new TierRequest(500, 1, LEASE_MILLIS));

    assertThat(scrape())
        .contains("dynims_adapter_resizes_total{outcome=\"Failed\",tier=\"alluxio\"} 1.0");
  }

  @Test
  void countsOnlyWhatTheDataGivesUpWhenTheTierShrinks() throws Exception {
    serve(store);
    client.put(new TierRequest(1_000, 1, LEASE_MILLIS));
    store.write(600);
    client.put(new TierRequest(700, 2, LEASE_MILLIS)); // No data there: frees nothing.
    client.put(new TierRequest(450, 3, LEASE_MILLIS)); // 150
    client.put(new TierRequest(440, 4, LEASE_MILLIS)); // 10
    client.put(new TierRequest(900, 5, LEASE_MILLIS));

    assertThat(scrape()).contains("dynims_adapter_freed_bytes_total{tier=\"alluxio\"} 160.0");
  }

  @Test
  void answersDuringAResize() throws Exception {
    CountDownLatch entered = new CountDownLatch(1);
    CountDownLatch leave = new CountDownLatch(1);
    serve(
        new Delegate() {
          @Override
          public TierStatus resize(long desiredBytes) throws StoreUnavailableException {
            entered.countDown();
            awaitUninterruptibly(leave);
            return super.resize(desiredBytes);
          }
        });
    CompletableFuture<Void> resize =
        CompletableFuture.runAsync(
            () -> {
              try {
                client.put(new TierRequest(500, 1, LEASE_MILLIS));
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
    try {
      entered.await();
      assertThat(scrape())
          .contains("dynims_adapter_capacity_bytes{tier=\"alluxio\"} 1000.0")
          .contains("dynims_adapter_resize_seconds_count{tier=\"alluxio\"} 0");
    } finally {
      leave.countDown();
    }
    resize.get(60, TimeUnit.SECONDS);
    assertThat(scrape()).contains("dynims_adapter_resize_seconds_count{tier=\"alluxio\"} 1");
  }

  private void serve(TierStore tier) throws Exception {
    AdapterMetrics metrics = metrics(() -> 3);
    var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    server =
        TierServer.start(
            anyPort,
            new MeteredTier(tier, metrics),
            GuardSettings.none(),
            TierAccess.anyone(),
            Optional.of(metrics));
    metrics.setSource(server::status);
    client = new TierClient(server.uri());
  }

  private String scrape() throws Exception {
    var answer =
        http.send(
            HttpRequest.newBuilder(URI.create(server.uri() + "/metrics")).build(),
            HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).isEqualTo(200);
    assertThat(answer.headers().firstValue("Content-Type").orElseThrow())
        .startsWith("application/openmetrics-text");
    return answer.body();
  }

  private void put(String body) throws Exception {
    http.send(
        HttpRequest.newBuilder(URI.create(server.uri() + TierApi.PATH))
            .PUT(HttpRequest.BodyPublishers.ofString(body, StandardCharsets.UTF_8))
            .build(),
        HttpResponse.BodyHandlers.discarding());
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private class Delegate implements TierStore {

    @Override
    public TierStatus status() throws StoreUnavailableException {
      return store.status();
    }

    @Override
    public TierStatus resize(long desiredBytes) throws StoreUnavailableException {
      return store.resize(desiredBytes);
    }
  }

  private static AdapterMetrics metrics(LongSupplier connects) {
    AdapterMetrics metrics = new AdapterMetrics("alluxio");
    metrics.counter("worker.connects", "Connections made to the worker", connects);
    metrics.counter("block.reads", "source", "tier", "Block reads", () -> 288);
    metrics.counter("block.reads", "source", "store", "Block reads", () -> 520);
    return metrics;
  }
}
