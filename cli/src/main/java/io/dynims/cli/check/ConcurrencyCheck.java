package io.dynims.cli.check;

import static io.dynims.cli.check.CheckFailedException.require;

import io.dynims.cli.check.TierProbe.Answer;
import io.dynims.tier.TierApi;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Many requests at once: every one is answered, and the newest sample's capacity is what stays. */
final class ConcurrencyCheck {

  private static final int REQUESTS = 64;

  /** Prime to the number of requests: the newest sample is one of the first that are sent. */
  private static final int STRIDE = 37;

  private static final int CLIENTS = 12;

  private final TierProbe probe;

  ConcurrencyCheck(TierProbe probe) {
    this.probe = probe;
  }

  void addTo(Map<String, TierCheck.Check> checks) {
    checks.put("many-at-once", this::manyAtOnce);
  }

  private String manyAtOnce() throws CheckFailedException, IOException, InterruptedException {
    TierReading before = probe.settle(probe.read().maxBytes());
    long stepBytes = (before.maxBytes() - before.minBytes()) / 4 / REQUESTS;
    long[] samples = new long[REQUESTS];
    for (int i = 0; i < REQUESTS; i++) {
      samples[i] = probe.nextSampleMillis();
    }
    List<Callable<Answer>> requests = new ArrayList<>();
    for (int i = 0; i < REQUESTS; i++) {
      int turn = i * STRIDE % REQUESTS;
      long bytes = before.maxBytes() - turn * stepBytes;
      requests.add(() -> probe.put(bytes, samples[turn], TierProbe.LEASE_MILLIS));
      requests.add(() -> probe.get(TierApi.PATH));
    }
    int refused = 0;
    for (Answer answer : all(requests)) {
      require(
          answer.isApplied() || answer.status() == 409,
          "one of %d requests at once: %s".formatted(requests.size(), answer.text()));
      refused += answer.status() == 409 ? 1 : 0;
    }
    long newestBytes = before.maxBytes() - (REQUESTS - 1) * stepBytes;
    TierReading after =
        probe.await(
            "the capacity of the newest sample, %d bytes".formatted(newestBytes),
            now -> Math.abs(now.capacityBytes() - newestBytes) < Math.max(1, stepBytes / 2));
    return "%d requests from %d clients, %d of them older than another; %d bytes stay"
        .formatted(requests.size(), CLIENTS, refused, after.capacityBytes());
  }

  private static List<Answer> all(List<Callable<Answer>> requests)
      throws IOException, InterruptedException {
    ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Answer> answers = new ArrayList<>();
      for (Future<Answer> each : clients.invokeAll(requests)) {
        answers.add(each.get());
      }
      return answers;
    } catch (ExecutionException e) {
      throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
    } finally {
      clients.shutdownNow();
    }
  }
}
