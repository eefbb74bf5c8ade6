package io.dynims.cli.check;

import static io.dynims.cli.check.CheckFailedException.require;
import static io.dynims.cli.check.CheckSkippedException.skipIf;

import java.io.IOException;
import java.util.Map;

/**
 * Whether {@code usedBytes} and {@code residentBytes} can be true. Nothing tells from outside what
 * a store really holds, but a store that makes them up has to do so through a whole sequence: data
 * is written, the capacity shrinks below it, and grows again without a write.
 */
final class MemoryChecks {

  /** With less, the store's own buffers would decide. */
  private static final long LEAST_BYTES = 1 << 20;

  /** What a store without data may have resident. */
  private static final long PLAIN_BYTES = 128L << 20;

  /** Where the command finds how many bytes to write. */
  private static final String FILL_BYTES = "DYNIMS_FILL_BYTES";

  private final TierProbe probe;
  private TierReading full;
  private TierReading shrunk;

  MemoryChecks(TierProbe probe) {
    this.probe = probe;
  }

  void addTo(Map<String, TierCheck.Check> checks) {
    checks.put("used-counts-data", this::usedCountsData);
    checks.put("used-follows-shrink", this::usedFollowsShrink);
    checks.put("resident-follows-shrink", this::residentFollowsShrink);
    checks.put("used-stays-after-growth", this::usedStaysAfterGrowth);
    checks.put("used-against-resident", this::usedAgainstResident);
  }

  /** Between 3/4 and 3/2 of what was written: stores round sizes up, but not more than that. */
  private String usedCountsData()
      throws CheckFailedException, CheckSkippedException, IOException, InterruptedException {
    CheckOptions options = probe.options();
    skipIf(options.fillCommand().isEmpty(), "no --fill-command");
    probe.settle(probe.read().minBytes());
    TierReading empty = probe.settle(probe.read().maxBytes());
    long bytes = Math.min(options.fillBytes(), (empty.maxBytes() - empty.usedBytes()) / 2);
    skipIf(bytes < LEAST_BYTES, "there is room for %d bytes only".formatted(bytes));
    new CheckCommand("--fill-command", options.fillCommand().get())
        .run(Map.of(FILL_BYTES, Long.toString(bytes)), options.answerTimeout());
    TierReading now =
        probe.await(
            "usedBytes at least 3/4 of the " + bytes + " bytes written above " + empty.usedBytes(),
            each -> each.usedBytes() - empty.usedBytes() >= bytes / 4 * 3);
    long more = now.usedBytes() - empty.usedBytes();
    require(
        more <= bytes / 2 * 3,
        "%d bytes were written, but usedBytes rose by %d".formatted(bytes, more));
    if (now.residentBytes() != null) {
      probe.await(
          "residentBytes at least half of the " + bytes + " bytes written",
          each -> each.occupiedBytes() >= bytes / 2);
    }
    return "%d bytes were written, and usedBytes rose by %d".formatted(bytes, more);
  }

  private String usedFollowsShrink()
      throws CheckFailedException, CheckSkippedException, IOException, InterruptedException {
    TierReading before = probe.settle(probe.read().maxBytes());
    long targetBytes = Math.max(before.minBytes(), before.usedBytes() / 2 - 12_345);
    long wantedBytes = before.usedBytes() - targetBytes;
    skipIf(
        wantedBytes < LEAST_BYTES,
        "usedBytes is only %d: fill the store, or give a --fill-command"
            .formatted(before.usedBytes()));
    skipIf(
        before.unpersistedBytes() > targetBytes,
        "%d bytes exist nowhere else and must stay".formatted(before.unpersistedBytes()));
    TierReading after =
        probe.settle(
            targetBytes,
            "usedBytes at most capacityBytes + unevictableBytes after a shrink to " + targetBytes,
            TierReading::usedFits);
    long freedBytes = before.usedBytes() - after.usedBytes();
    require(
        freedBytes >= wantedBytes / 4,
        "usedBytes was %d and is %d after a shrink to %d, with %d unevictable"
            .formatted(
                before.usedBytes(), after.usedBytes(), targetBytes, after.unevictableBytes()));
    full = before;
    shrunk = after;
    return "%d bytes, and %d after a shrink to %d"
        .formatted(before.usedBytes(), after.usedBytes(), targetBytes);
  }

  private String residentFollowsShrink()
      throws CheckFailedException, CheckSkippedException, IOException, InterruptedException {
    skipIf(shrunk == null, "used-follows-shrink has not passed");
    skipIf(full.residentBytes() == null, "residentBytes is not told: it is usedBytes");
    long mostBytes = full.residentBytes() - (full.usedBytes() - shrunk.usedBytes()) / 2;
    TierReading now =
        probe.await(
            "residentBytes at most %d; it was %d before the shrink"
                .formatted(mostBytes, full.residentBytes()),
            each -> each.occupiedBytes() <= mostBytes);
    return "%d bytes, and %d after the shrink".formatted(full.residentBytes(), now.occupiedBytes());
  }

  /** A store that cuts what it tells to its capacity is given away when that grows. */
  private String usedStaysAfterGrowth()
      throws CheckFailedException, CheckSkippedException, IOException, InterruptedException {
    skipIf(shrunk == null, "used-follows-shrink has not passed");
    TierReading grown = probe.settle(full.maxBytes());
    long freedBytes = full.usedBytes() - shrunk.usedBytes();
    require(
        grown.usedBytes() - shrunk.usedBytes() <= freedBytes / 4,
        ("usedBytes rose from %d to %d when the capacity grew, without a write: the data was never"
                + " evicted")
            .formatted(shrunk.usedBytes(), grown.usedBytes()));
    return "%d bytes after the capacity grew to %d"
        .formatted(grown.usedBytes(), grown.capacityBytes());
  }

  /** A store may have pages without data, but gives them back when it shrinks. */
  private String usedAgainstResident()
      throws CheckFailedException, CheckSkippedException, IOException, InterruptedException {
    TierReading now = probe.read();
    skipIf(now.residentBytes() == null, "residentBytes is not told: it is usedBytes");
    if (isLarge(now)) {
      now =
          probe.settle(
              now.minBytes(),
              "usedBytes or less residentBytes at the least capacity",
              each -> !isLarge(each));
    }
    return "%d bytes used, %d resident".formatted(now.usedBytes(), now.occupiedBytes());
  }

  private static boolean isLarge(TierReading now) {
    return now.occupiedBytes() > PLAIN_BYTES + now.minBytes()
        && now.occupiedBytes() / 4 > now.usedBytes();
  }
}
