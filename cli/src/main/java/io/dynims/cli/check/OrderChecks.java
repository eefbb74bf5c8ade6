package io.dynims.cli.check;

import static io.dynims.cli.check.CheckFailedException.require;

import io.dynims.cli.check.TierProbe.Answer;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** In which order requests count: samples, and the leases during which that matters. */
final class OrderChecks {

  private static final long OLDER_MILLIS = TimeUnit.MINUTES.toMillis(10);
  private static final long FUTURE_MILLIS = TimeUnit.HOURS.toMillis(1);

  private final TierProbe probe;

  OrderChecks(TierProbe probe) {
    this.probe = probe;
  }

  void addTo(Map<String, TierCheck.Check> checks) {
    checks.put("older-sample", this::olderSample);
    checks.put("future-sample", this::futureSample);
    checks.put("lease-ends", this::leaseEnds);
  }

  /**
   * Two controllers at once: the one with the older sample loses, for as long as the lease runs.
   */
  private String olderSample() throws CheckFailedException, IOException, InterruptedException {
    TierReading before = probe.settle(probe.read().maxBytes());
    Answer older =
        probe.put(
            before.between(0.75), probe.nextSampleMillis() - OLDER_MILLIS, TierProbe.LEASE_MILLIS);
    require(
        older.status() == 409,
        "a sample 10 min older than the last one, during its lease: not HTTP 409 but %s"
            .formatted(older.text()));
    long after = probe.read().capacityBytes();
    require(
        after == before.capacityBytes(),
        "an older sample changed the capacity to %d".formatted(after));
    return "HTTP 409 during the lease of a newer one";
  }

  private String futureSample() throws CheckFailedException, IOException, InterruptedException {
    TierReading before = probe.settle(probe.read().maxBytes());
    Answer future =
        probe.put(
            before.between(0.75),
            System.currentTimeMillis() + FUTURE_MILLIS,
            TierProbe.LEASE_MILLIS);
    require(
        future.status() == 400,
        "a sample 1 h ahead of the clock: not HTTP 400 but %s".formatted(future.text()));
    long after = probe.read().capacityBytes();
    require(
        after == before.capacityBytes(),
        "a sample of the future changed the capacity to %d".formatted(after));
    Answer present = probe.put(before.maxBytes());
    require(
        present.isApplied(),
        "a sample of now after one of the future: %s".formatted(present.text()));
    return "HTTP 400, and samples of now are applied as before";
  }

  private String leaseEnds() throws CheckFailedException, IOException, InterruptedException {
    long bytes = probe.settle(probe.read().maxBytes()).capacityBytes();
    Answer last = probe.put(bytes, probe.nextSampleMillis(), 1);
    require(last.isApplied(), "a lease of 1 ms: %s".formatted(last.text()));
    TierReading after =
        probe.await(
            "leaseHeld false after a lease of 1 ms", now -> Boolean.FALSE.equals(now.leaseHeld()));
    require(
        after.capacityBytes() == bytes,
        "the capacity was %d, and is %d after the lease".formatted(bytes, after.capacityBytes()));
    Answer older = probe.put(bytes, probe.nextSampleMillis() - OLDER_MILLIS, 1);
    require(
        older.isApplied(),
        "an older sample after the last lease has ended: %s".formatted(older.text()));
    return "the capacity stays, and an older sample is applied";
  }
}
