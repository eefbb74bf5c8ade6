package io.dynims.experiments.bench.reaction;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.experiments.bench.Timings;
import io.dynims.experiments.bench.reaction.LoopTrace.Decision;
import io.dynims.experiments.bench.reaction.LoopTrace.Sample;
import io.dynims.experiments.bench.reaction.LoopTrace.Slice;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Follows each sample until the capacity that it led to is in force.
 *
 * <p>Every sample counts, also where a decision stands for several of them: a sample is in force
 * with the first decision taken on it or on a later one. Counted are samples that put another
 * capacity in force; a push that repeats what is in force says nothing of a resize.
 */
final class Hops {

  /** The hops, in their order; those of one sample add up to its whole time. */
  enum Hop {
    COLLECTD_TO_BROKER("collectdToBroker", "collectd → broker", "to broker"),
    BROKER_TO_DECIDED("brokerToDecided", "broker → job, decided", "to decided"),
    DECIDED_TO_BROKER("decidedToBroker", "job → broker", "to broker again"),
    BROKER_TO_IN_FORCE(
        "brokerToInForce", "broker → controller → adapter → worker → answer", "to in force");

    private final String key;
    private final String text;
    private final String shortText;

    Hop(String key, String text, String shortText) {
      this.key = key;
      this.text = text;
      this.shortText = shortText;
    }

    String key() {
      return key;
    }

    String text() {
      return text;
    }

    String shortText() {
      return shortText;
    }
  }

  /**
   * One sample's way.
   *
   * @param changeBytes by how much it changed the capacity
   * @param partsMillis the hops, in their order
   */
  record Way(long wholeMillis, long changeBytes, List<Long> partsMillis) {}

  private final Timings whole = new Timings();
  private final Timings known = new Timings();
  private final List<Way> ways = new ArrayList<>();
  private final Map<Hop, Timings> parts = new LinkedHashMap<>();

  private Hops() {
    for (Hop hop : Hop.values()) {
      parts.put(hop, new Timings());
    }
  }

  /** From a sample to its capacity in force. */
  Timings whole() {
    return whole;
  }

  /** The same in parts. */
  Map<Hop, Timings> parts() {
    return parts;
  }

  /** How old the tier's answer was, by the time of the decision, that each decision rested on. */
  Timings known() {
    return known;
  }

  /** The samples that took longest, the slowest first. */
  List<Way> slowest(int count) {
    return ways.stream()
        .sorted(Comparator.comparingLong(Way::wholeMillis).reversed())
        .limit(count)
        .toList();
  }

  /** Follows what came in a stretch of time; samples whose decision came after it do not count. */
  static Hops of(Slice slice) {
    Hops hops = new Hops();
    Map<Long, Decision> decisions = new HashMap<>();
    slice.decisions().forEach(d -> decisions.putIfAbsent(d.target().sampledMillis(), d));
    Deque<Sample> waiting = new ArrayDeque<>();
    slice.samples().stream()
        .sorted((a, b) -> Long.compare(a.sampledMillis(), b.sampledMillis()))
        .forEach(waiting::add);
    long inForceBytes = -1;
    long lastSampledMillis = 0;
    for (Ack ack : slice.acks()) {
      boolean first = ack.sampledMillis() > lastSampledMillis;
      Decision decision = decisions.get(ack.sampledMillis());
      if (ack.status() == AckStatus.Applied && first && decision != null) {
        boolean changed = inForceBytes >= 0 && ack.capacityBytes() != inForceBytes;
        while (!waiting.isEmpty() && waiting.element().sampledMillis() <= ack.sampledMillis()) {
          Sample sample = waiting.remove();
          if (changed) {
            hops.add(sample, decision, ack, ack.capacityBytes() - inForceBytes);
          }
        }
        lastSampledMillis = ack.sampledMillis();
      }
      inForceBytes = ack.capacityBytes();
    }
    return hops;
  }

  private void add(Sample sample, Decision decision, Ack ack, long changeBytes) {
    long decidedMillis = decision.target().decidedMillis();
    long wholeMillis = ack.appliedMillis() - sample.sampledMillis();
    List<Long> partsMillis =
        List.of(
            sample.brokerMillis() - sample.sampledMillis(),
            decidedMillis - sample.brokerMillis(),
            decision.brokerMillis() - decidedMillis,
            ack.appliedMillis() - decision.brokerMillis());
    whole.addMillis(wholeMillis);
    int hop = 0;
    for (Timings part : parts.values()) {
      part.addMillis(partsMillis.get(hop++));
    }
    ways.add(new Way(wholeMillis, changeBytes, partsMillis));
    Long toldMillis = decision.target().acknowledgedMillis();
    if (toldMillis != null) {
      known.addMillis(decidedMillis - toldMillis);
    }
  }
}
