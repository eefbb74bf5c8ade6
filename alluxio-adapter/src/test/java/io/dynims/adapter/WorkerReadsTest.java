package io.dynims.adapter;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The hit ratio, from the metrics of a worker that only serves these. */
class WorkerReadsTest {

  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final AtomicLong nanos = new AtomicLong();
  private final AtomicLong own = new AtomicLong();
  private final CountDownLatch asked = new CountDownLatch(1);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private HttpServer worker;
  private WorkerReads reads;

  private volatile int status = 200;
  private volatile String answer = "";

  /** What the worker waits for before it answers. */
  private volatile CountDownLatch gate = new CountDownLatch(0);

  @BeforeEach
  void start() throws IOException {
    worker = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    worker.setExecutor(threads);
    worker.createContext(
        "/metrics/json/",
        exchange -> {
          asked.countDown();
          awaitGate();
          byte[] body = answer.getBytes(UTF_8);
          exchange.sendResponseHeaders(status, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    worker.start();
    URI metrics =
        URI.create("http://127.0.0.1:" + worker.getAddress().getPort() + "/metrics/json/");
    reads = new WorkerReads(Optional.of(metrics), own::get, nanos::get);
  }

  @AfterEach
  void stop() {
    reads.close();
    gate.countDown();
    worker.stop(0);
    threads.shutdownNow();
  }

  @Test
  void isTheShareOfTheReadsThatTheTierServed() {
    poll(1_000, 2_000);
    assertThat(reads.hitRatio()).as("before there are two samples").isNull();

    poll(1_288, 2_520);

    assertThat(reads.hitRatio()).isEqualTo(288 / 808.0);
    assertThat(reads.tierReads()).isEqualTo(288);
    assertThat(reads.storeReads()).isEqualTo(520);
  }

  @ParameterizedTest
  @CsvSource({"7, 0, 1.0", "0, 7, 0.0"})
  void reachesBothEnds(long tierReads, long storeReads, double expected) {
    poll(0, 0);
    poll(tierReads, storeReads);

    assertThat(reads.hitRatio()).isEqualTo(expected);
  }

  @Test
  void isUnknownWithoutReads() {
    poll(10, 10);
    poll(10, 10);

    assertThat(reads.hitRatio()).isNull();
  }

  @Test
  void coversTheLastMinuteOnly() {
    poll(0, 0);
    passSeconds(30);
    poll(0, 100);
    passSeconds(31);
    poll(300, 200);
    assertThat(reads.hitRatio()).isEqualTo(0.75);

    passSeconds(61);
    poll(300, 200);

    assertThat(reads.hitRatio()).isNull();
    assertThat(reads.tierReads()).isEqualTo(300);
    assertThat(reads.storeReads()).isEqualTo(200);
  }

  @Test
  void startsAnewWhenTheWorkerHasRestarted() {
    poll(0, 0);
    poll(90, 10);
    poll(0, 4);
    assertThat(reads.hitRatio()).isNull();

    poll(1, 5);

    assertThat(reads.hitRatio()).isEqualTo(0.5);
    assertThat(reads.tierReads()).isEqualTo(91);
    assertThat(reads.storeReads()).isEqualTo(11);
  }

  @Test
  void leavesOutWhatTheAdapterReadsItself() {
    own.set(5);
    poll(5, 0);
    own.set(15);
    poll(18, 1);

    assertThat(reads.hitRatio()).isEqualTo(0.75);
    assertThat(reads.tierReads()).isEqualTo(3);
  }

  @Test
  void aCounterIsMissingUntilTheFirstReadOfItsKind() {
    answer = "{\"counters\":{}}";
    await().until(reads::poll);
    answer = "{\"counters\":{\"Worker.BlocksReadUfs\":{\"count\":3}}}";
    await().until(reads::poll);

    assertThat(reads.hitRatio()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<html>",
        "{}",
        "{\"counters\":[]}",
        "{\"counters\":{\"Worker.BlocksAccessed\":{\"count\":\"many\"}}}",
        "{\"counters\":{\"Worker.BlocksAccessed\":{\"count\":7}}"
      })
  void isUnknownAfterAnAnswerThatIsNoneAndKnownAgainLater(String invalid) {
    poll(0, 0);
    poll(1, 1);

    answer = invalid;
    assertThat(reads.poll()).isFalse();
    assertThat(reads.hitRatio()).isNull();

    poll(2, 1);
    assertThat(reads.hitRatio()).isEqualTo(2 / 3.0);
  }

  @Test
  void isUnknownAfterAnError() {
    poll(0, 0);
    poll(1, 1);

    status = 500;

    assertThat(reads.poll()).isFalse();
    assertThat(reads.hitRatio()).isNull();
  }

  @Test
  void isUnknownWhileNobodyListens() {
    poll(0, 0);
    poll(1, 1);

    worker.stop(0);

    assertThat(reads.poll()).isFalse();
    assertThat(reads.hitRatio()).isNull();
  }

  @Test
  void nobodyWaitsForASlowWorker() throws Exception {
    gate = new CountDownLatch(1);
    answer = metrics(1, 1);
    reads.start();
    asked.await();

    assertThat(reads.hitRatio()).isNull();
    assertThat(reads.tierReads()).isZero();
    assertThat(gate.getCount()).as("the worker has not answered").isEqualTo(1);
  }

  @Test
  void givesUpOnAWorkerThatDoesNotAnswer() {
    gate = new CountDownLatch(1);

    assertThat(reads.poll()).isFalse();
    assertThat(gate.getCount()).as("the worker has not answered").isEqualTo(1);
  }

  /** One successful poll; the worker may be slow. */
  private void poll(long accessed, long readUfs) {
    answer = metrics(accessed, readUfs);
    await().until(reads::poll);
  }

  private void passSeconds(long seconds) {
    nanos.addAndGet(seconds * SECOND_NANOS);
  }

  /** The worker's metrics, shortened. */
  private static String metrics(long accessed, long readUfs) {
    return """
        {"version": "4.0.0",
         "gauges": {"Worker.BlocksCached": {"value": 3}, "Worker.Version": {"value": "2.9.6"}},
         "counters": {"Worker.BlocksAccessed": {"count": %d}, "Worker.BlocksCanceled": {"count": 9},
                      "Worker.BlocksReadUfs": {"count": %d}},
         "histograms": {}, "meters": {"Worker.Rate": {"count": 1, "m1_rate": 0.5}}}
        """
        .formatted(accessed, readUfs);
  }

  private void awaitGate() {
    try {
      gate.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
