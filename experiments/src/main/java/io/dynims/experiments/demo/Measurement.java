package io.dynims.experiments.demo;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.LongUnaryOperator;

/** Builds the report from what was recorded since the start of the idle phase. */
record Measurement(
    DemoSettings settings,
    Sizing sizing,
    Phases phases,
    UtilizationTrace memory,
    List<LoadProcess.Report> burst,
    LoopRecorder loop) {

  /** The deviation within which utilization counts as at the threshold. */
  static final double TOLERANCE = 0.01;

  /** How long others are looked at before the burst, whose own memory is known less exactly. */
  private static final long BEFORE_MILLIS = 1_000;

  DemoReport report(Readers readers, long memoryTotalBytes, int processors) {
    long from = phases.idleFrom();
    long end = phases.end();
    long budget = sizing.budgetBytes();
    List<Ack> acks = loop.acks(from, end);
    LongUnaryOperator ownBytes =
        millis -> tierBytes(acks, millis) + LoadProcess.heldBytes(burst, millis);
    OthersMemory others = OthersMemory.of(memory, ownBytes, from, end);
    List<Ack> burstAcks = loop.acks(phases.idleTo(), end);
    return new DemoReport(
        ReactionMillis.of(burstAcks),
        ReactionMillis.of(loop.acks(from, phases.idleTo())),
        loop.targets(from, end).size(),
        count(acks, AckStatus.Applied),
        count(acks, AckStatus.Partial),
        count(acks, AckStatus.Failed),
        Extent.of(burstAcks.stream().map(Ack::capacityBytes).toList()),
        Extent.of(burstAcks.stream().map(Ack::usedBytes).toList()),
        (double) memory.maxUsedBytes(from, end) / budget,
        (double) others.maxUsedBytes() / budget,
        memory.overMillis(from, end, limit(TOLERANCE)),
        readers.ok(),
        readers.missed(),
        readers.corrupt(),
        readers.failed(),
        new DemoReport.SettleMillis(
            settle(phases.risen(), phases.falling()), settle(phases.fallen(), end)),
        settings.threshold(),
        budget,
        memoryTotalBytes,
        processors,
        sizing.burstBytes(),
        neededBytes(acks, ownBytes),
        OthersMemory.of(memory, ownBytes, phases.idleTo() - BEFORE_MILLIS, end).grownBytes(),
        settings.seed());
  }

  /** The whole burst, if it did not come to its end: then nobody knows what others did. */
  private long neededBytes(List<Ack> acks, LongUnaryOperator ownBytes) {
    if (phases.falling() == 0) {
      return sizing.burstBytes();
    }
    return OthersMemory.of(memory, ownBytes, phases.idleTo(), phases.falling()).mostBytes()
        + sizing.burstBytes()
        + tierBytes(acks, phases.idleTo())
        - limit(0);
  }

  /** The tier's data at a time: as of the last ack before, or of the first one. */
  static long tierBytes(List<Ack> acks, long millis) {
    Long bytes = null;
    for (Ack ack : acks) {
      if (ack.usedBytes() != null && (bytes == null || ack.appliedMillis() <= millis)) {
        bytes = ack.usedBytes();
      }
    }
    return bytes == null ? 0 : bytes;
  }

  private Long settle(long changeMillis, long untilMillis) {
    if (changeMillis == 0) {
      return null;
    }
    // A tier holds whole items, so a full one may lack almost one.
    long lowBytes = limit(-TOLERANCE) - settings.load().itemBytes();
    OptionalLong settled =
        memory.settleMillis(changeMillis, untilMillis, lowBytes, limit(TOLERANCE));
    return settled.isPresent() ? settled.getAsLong() : null;
  }

  private long limit(double tolerance) {
    return (long) ((settings.threshold() + tolerance) * sizing.budgetBytes());
  }

  private static long count(List<Ack> acks, AckStatus status) {
    return acks.stream().filter(ack -> ack.status() == status).count();
  }
}
