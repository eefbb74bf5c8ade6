package io.dynims.cli.check;

import static io.dynims.cli.check.CheckFailedException.require;
import static io.dynims.cli.check.CheckSkippedException.skipIf;

import io.dynims.cli.check.TierProbe.Answer;
import io.dynims.tier.TierApi;
import io.dynims.tier.TierRequest;
import java.io.IOException;
import java.util.Map;

/** What {@code PUT /v1/tier} does with valid requests. */
final class ResizeChecks {

  private final TierProbe probe;

  ResizeChecks(TierProbe probe) {
    this.probe = probe;
  }

  void addTo(Map<String, TierCheck.Check> checks) {
    checks.put("capacity-is-exact", this::capacityIsExact);
    checks.put("repeated-request", this::repeatedRequest);
    checks.put("unknown-fields", this::unknownFields);
    checks.put("above-maximum", this::aboveMaximum);
    checks.put("below-minimum", this::belowMinimum);
  }

  private String capacityIsExact() throws CheckFailedException, IOException, InterruptedException {
    TierReading now = probe.read();
    long[] wanted = {
      now.maxBytes() - 1, now.between(0.5) + 1, now.between(0.75) - 4_099, now.maxBytes()
    };
    for (long bytes : wanted) {
      var unused = probe.putUntil(bytes, bytes);
      long sampledMillis = probe.nextSampleMillis();
      Answer answer = probe.put(bytes, sampledMillis, TierProbe.LEASE_MILLIS);
      require(answer.isApplied(), "%d bytes were asked for: %s".formatted(bytes, answer.text()));
      TierReading told = TierReading.of(answer.json());
      require(
          told.capacityBytes() == bytes,
          "%d bytes were asked for, and capacityBytes is %d"
              .formatted(bytes, told.capacityBytes()));
      require(
          answer.status() == 200, "%d bytes are in force, but: %s".formatted(bytes, answer.text()));
      TierReading read = probe.read();
      require(
          read.capacityBytes() == bytes,
          "PUT tells %d bytes, and GET %d".formatted(bytes, read.capacityBytes()));
      require(
          read.sampledMillis() != null && read.sampledMillis() == sampledMillis,
          "the sample is of %d, and sampledMillis is %s"
              .formatted(sampledMillis, read.sampledMillis()));
      require(
          Boolean.TRUE.equals(read.leaseHeld()),
          "leaseHeld is %s during a lease of 60 s".formatted(read.leaseHeld()));
    }
    return wanted.length + " capacities, each in force to the byte";
  }

  private String repeatedRequest() throws CheckFailedException, IOException, InterruptedException {
    long bytes = probe.read().between(0.9);
    probe.settle(bytes);
    byte[] body =
        TierApi.REQUEST.encode(
            new TierRequest(bytes, probe.nextSampleMillis(), TierProbe.LEASE_MILLIS));
    Answer first = probe.put(body);
    Answer second = probe.put(body);
    require(first.isApplied(), "a request: %s".formatted(first.text()));
    require(
        second.isApplied(),
        "the same request a second time, with the same sample: %s".formatted(second.text()));
    long once = TierReading.of(first.json()).capacityBytes();
    long twice = TierReading.of(second.json()).capacityBytes();
    require(once == twice, "capacityBytes is %d, and %d when repeated".formatted(once, twice));
    return "the same answer twice";
  }

  /** The next version's controller, and the policy of this one's, must do no harm. */
  private String unknownFields() throws CheckFailedException, IOException, InterruptedException {
    long bytes = probe.read().between(0.85);
    Answer answer =
        probe.put(
            "{\"desiredBytes\":%d,\"sampledMillis\":%d,\"leaseMillis\":60000,\"previousBytes\":%d,"
                    .formatted(bytes, probe.nextSampleMillis(), bytes)
                + "\"aFieldOfTheFuture\":{\"a\":[1]}}");
    require(
        answer.isApplied(),
        "a request with a field that does not exist yet: %s".formatted(answer.text()));
    return "a field that does not exist yet is ignored";
  }

  private String aboveMaximum() throws CheckFailedException, IOException, InterruptedException {
    long max = probe.settle(probe.read().maxBytes()).maxBytes();
    for (long bytes : new long[] {max + 1, Long.MAX_VALUE}) {
      clamped(bytes, max, "maxBytes");
    }
    return "%d bytes and more give %d".formatted(max + 1, max);
  }

  private String belowMinimum()
      throws CheckFailedException, CheckSkippedException, IOException, InterruptedException {
    long min = probe.read().minBytes();
    skipIf(min == 0, "minBytes is 0");
    TierReading least = probe.settle(min);
    skipIf(
        least.unevictableBytes() > 0,
        "%d bytes are unevictable".formatted(least.unevictableBytes()));
    for (long bytes : new long[] {min - 1, 0}) {
      clamped(bytes, min, "minBytes");
    }
    return "%d bytes and less give %d".formatted(min - 1, min);
  }

  private void clamped(long bytes, long bound, String name)
      throws CheckFailedException, IOException, InterruptedException {
    Answer answer = probe.putUntil(bytes, bound);
    require(answer.isApplied(), "%d bytes were asked for: %s".formatted(bytes, answer.text()));
    long told = TierReading.of(answer.json()).capacityBytes();
    require(
        told == bound,
        "%d bytes were asked for, %s is %d, and capacityBytes is %d"
            .formatted(bytes, name, bound, told));
    require(
        answer.status() == 202,
        "%d of %d bytes, but not HTTP 202: %s".formatted(told, bytes, answer.text()));
  }
}
