package io.dynims.experiments.bench.control;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Target;
import io.dynims.experiments.demo.LoadProcess;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * How long the capacity takes to follow a change of load.
 *
 * <p>It is looked at wherever the load then stays as it is for at least a second, such as the
 * plateau of a ramp or the time after a step. From the start of such a stretch it takes until the
 * capacity in force stays within 1 % of M of where it is in the stretch's last half second (the
 * median), or of what the latest decision allowed that was limited by the head start: then the
 * tier's own filling is what is waited for. A capacity that is not there by that half second counts
 * with the whole stretch.
 */
final class Settling {

  /**
   * A time in which the load does not change; epoch milliseconds.
   *
   * @param fromMillis when the load arrived there
   * @param toMillis when it changes again
   */
  record Stretch(long fromMillis, long toMillis) {}

  static final double TOLERANCE = 0.01;

  private static final long LEAST_MILLIS = 1_000;
  private static final long LAST_MILLIS = 500;

  /** A load is as it was within so much: other programs of a trace move it by less. */
  private static final long STEADY_BYTES = 4L << 20;

  private Settling() {}

  /** The worst of a run, in milliseconds; empty if its load never stays as it is. */
  static OptionalLong worstMillis(ControlRun run) {
    long toleranceBytes = Math.round(TOLERANCE * run.budgetBytes());
    return stretches(run.reports(), run.toMillis()).stream()
        .filter(stretch -> stretch.fromMillis() >= run.fromMillis())
        .mapToLong(stretch -> millis(stretch, run.acks(), run.targets(), toleranceBytes))
        .max();
  }

  /** All of them, also one at the start. */
  static List<Stretch> stretches(List<LoadProcess.Report> reports, long endMillis) {
    List<Stretch> found = new ArrayList<>();
    int first = 0;
    for (int i = 1; i <= reports.size(); i++) {
      boolean end = i == reports.size();
      long untilMillis = end ? endMillis : reports.get(i).millis();
      if (end || !isSteady(reports.subList(first, i + 1))) {
        if (untilMillis - reports.get(first).millis() >= LEAST_MILLIS) {
          found.add(new Stretch(reports.get(first).millis(), untilMillis));
        }
        while (!end && !isSteady(reports.subList(first, i + 1))) {
          first++;
        }
      }
    }
    return found;
  }

  private static boolean isSteady(List<LoadProcess.Report> reports) {
    Comparator<LoadProcess.Report> byBytes = Comparator.comparingLong(LoadProcess.Report::bytes);
    long least = reports.stream().min(byBytes).orElseThrow().bytes();
    long greatest = reports.stream().max(byBytes).orElseThrow().bytes();
    return greatest - least <= STEADY_BYTES;
  }

  static long millis(Stretch stretch, List<Ack> acks, List<Target> targets, long toleranceBytes) {
    OptionalLong endBytes = endBytes(stretch, acks);
    if (endBytes.isEmpty()) {
      return stretch.toMillis() - stretch.fromMillis();
    }
    Map<Long, Long> allowedBytes = allowedByHeadStart(stretch, targets);
    long settledMillis = -1;
    long allowed = endBytes.getAsLong();
    for (Ack ack : acks) {
      if (ack.appliedMillis() >= stretch.toMillis()) {
        break;
      }
      allowed = allowedBytes.getOrDefault(ack.sampledMillis(), allowed);
      boolean settled =
          isNear(ack.capacityBytes(), endBytes.getAsLong(), toleranceBytes)
              || isNear(ack.capacityBytes(), allowed, toleranceBytes);
      if (!settled) {
        settledMillis = -1;
      } else if (settledMillis < 0) {
        settledMillis = ack.appliedMillis();
      }
    }
    return settledMillis < 0 || settledMillis > stretch.toMillis() - LAST_MILLIS
        ? stretch.toMillis() - stretch.fromMillis()
        : Math.max(0, settledMillis - stretch.fromMillis());
  }

  /** Where the capacity is in the last half second; empty without an acknowledgement. */
  private static OptionalLong endBytes(Stretch stretch, List<Ack> acks) {
    List<Ack> until =
        acks.stream().filter(ack -> ack.appliedMillis() < stretch.toMillis()).toList();
    long[] last =
        until.stream()
            .filter(ack -> ack.appliedMillis() >= stretch.toMillis() - LAST_MILLIS)
            .mapToLong(Ack::capacityBytes)
            .sorted()
            .toArray();
    if (last.length > 0) {
      return OptionalLong.of(last[last.length / 2]);
    }
    return until.isEmpty()
        ? OptionalLong.empty()
        : OptionalLong.of(until.get(until.size() - 1).capacityBytes());
  }

  /** The capacities of the stretch's decisions that the head start limited, by sample. */
  private static Map<Long, Long> allowedByHeadStart(Stretch stretch, List<Target> targets) {
    Map<Long, Long> allowed = new HashMap<>();
    for (Target target : targets) {
      if (target.limitedBy() == Limit.HeadStart
          && target.sampledMillis() >= stretch.fromMillis()
          && target.sampledMillis() < stretch.toMillis()) {
        allowed.put(target.sampledMillis(), target.desiredBytes());
      }
    }
    return allowed;
  }

  private static boolean isNear(long oneBytes, long otherBytes, long toleranceBytes) {
    return Math.abs(oneBytes - otherBytes) <= toleranceBytes;
  }
}
