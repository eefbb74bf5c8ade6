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
 * Traces each sample until the resulting capacity is in force.
 *
 * <p>A decision may stand for several samples: a sample is in force with the first decision made on
 * it or on a later one. Samples that changed the capacity count; a push that repeats the capacity
 * in force is not a resize.
 */
final class Hops {

  /** The hops, in order; those of one sample add up to its total time. */
  enum Hop {
    CollectdToBroker("collectdToBroker", "collectd → broker", "to broker"),
    BrokerToDecided("brokerToDecided", "broker → job, decided", "to decided"),
    DecidedToBroker("decidedToBroker", "job → broker", "to broker again"),
    BrokerToInForce(
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
   * The path of one sample.
   *
   * @param changeBytes the change of the capacity
   * @param partsMillis the durations of the hops, in order
   */
  record SamplePath(long wholeMillis, long changeBytes, List<Long> partsMillis) {}

  private final Timings whole = new Timings();
  private final Timings answerAge = new Timings();
  private final List<SamplePath> paths = new ArrayList<>();
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

  /** The same, by hop. */
  Map<Hop, Timings> parts() {
    return parts;
  }

  /** The age, at the time of each decision, of the tier's answer that it was based on. */
  Timings answerAge() {
    return answerAge;
  }

  /** The samples that took longest, the slowest first. */
  List<SamplePath> slowest(int count) {
    return paths.stream()
        .sorted(Comparator.comparingLong(SamplePath::wholeMillis).reversed())
        .limit(count)
        .toList();
  }

  /** Traces the samples of a slice; samples whose decision came later do not count. */
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
    paths.add(new SamplePath(wholeMillis, changeBytes, partsMillis));
    Long acknowledgedMillis = decision.target().acknowledgedMillis();
    if (acknowledgedMillis != null) {
      answerAge.addMillis(decidedMillis - acknowledgedMillis);
    }
  }
}
