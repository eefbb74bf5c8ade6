package io.dynims.controller.api;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.dynims.core.law.Action;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierState;
import io.dynims.core.wire.TierView;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** What the controller counts. Safe for use by many threads. */
public final class ControllerMetrics {

  static final String CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private static final String BYTES = "bytes";

  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(5), Duration.ofMillis(10),
    Duration.ofMillis(20), Duration.ofMillis(40), Duration.ofMillis(80), Duration.ofMillis(160),
    Duration.ofMillis(320), Duration.ofMillis(640), Duration.ofMillis(1_280)
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<String, MultiGauge> perTier = new HashMap<>();
  private final Map<AckStatus, Counter> pushes = new EnumMap<>(AckStatus.class);
  private final Map<Action, Map<Limit, Counter>> decisions = new EnumMap<>(Action.class);
  private final Timer pushLatency =
      timer("dynims.push", "From the request to the adapter to its answer");
  private final Timer reaction =
      timer("dynims.sample.to.in.force", "From the memory sample to the capacity in force");
  private final Counter acksDropped =
      counter("dynims.acks.dropped", "Acks that Kafka did not take in time");
  private final Counter historyDropped =
      counter("dynims.history.dropped", "Decisions for the history that Kafka did not take");
  private final Counter targetsMalformed =
      counter("dynims.targets.malformed", "Messages in the topic of targets that are none");
  private final Counter targetsUnclaimed =
      counter("dynims.targets.unclaimed", "Targets of tiers that no policy document names");

  /** ControllerMetrics that all stand at 0. */
  public ControllerMetrics() {
    for (AckStatus status : AckStatus.values()) {
      pushes.put(
          status,
          Counter.builder("dynims.pushes")
              .description("Pushes to adapters by how they ended")
              .tag("status", status.name())
              .register(registry));
    }
    for (Action action : Action.values()) {
      Map<Limit, Counter> byLimit = new EnumMap<>(Limit.class);
      for (Limit limit : Limit.values()) {
        byLimit.put(limit, decision(action, limit));
      }
      decisions.put(action, byLimit);
    }
  }

  /** Counts a decision of the job. */
  public void decided(Target target) {
    decisions.get(target.action()).get(target.limitedBy()).increment();
  }

  /** Counts a push that took this long. */
  public void pushed(AckStatus status, long tookNanos) {
    pushes.get(status).increment();
    pushLatency.record(tookNanos, NANOSECONDS);
  }

  /** Notes how old the sample behind a capacity was when that came into force. */
  public void inForce(long sampleAgeMillis) {
    reaction.record(Math.max(0, sampleAgeMillis), MILLISECONDS);
  }

  public void ackDropped() {
    acksDropped.increment();
  }

  public void historyDropped() {
    historyDropped.increment();
  }

  public void targetMalformed() {
    targetsMalformed.increment();
  }

  public void targetUnclaimed() {
    targetsUnclaimed.increment();
  }

  /** Shows a number that is asked for at each scrape, on any thread. */
  public void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }

  /**
   * All series, with seven for each of these tiers. Takes long where there are many, so that it is
   * not for the event loop.
   */
  synchronized String scrape(List<TierView> tiers) {
    row("dynims.tier.desired", BYTES, "The capacity last decided", tiers, TierView::desiredBytes);
    row("dynims.tier.capacity", BYTES, "The capacity in force", tiers, TierView::capacityBytes);
    row("dynims.tier.used", BYTES, "What the tier's data occupies", tiers, TierView::usedBytes);
    row(
        "dynims.tier.unevictable",
        BYTES,
        "What could not be evicted when it was to be",
        tiers,
        TierView::unevictableBytes);
    row(
        "dynims.tier.memory.utilization",
        "ratio",
        "Memory in use of what the node may use",
        tiers,
        TierView::utilization);
    row(
        "dynims.tier.threshold",
        "ratio",
        "The policy's threshold of the utilization",
        tiers,
        TierView::threshold);
    row(
        "dynims.tier.sample.age",
        "seconds",
        "How old the last sample is that was decided on; of no tier whose mode is Off",
        tiers,
        view ->
            view.ageMillis() == null || view.mode() == Mode.Off
                ? null
                : view.ageMillis() / 1_000.0);
    Map<TierState, Long> states =
        tiers.stream().collect(Collectors.groupingBy(TierView::state, Collectors.counting()));
    gauges("dynims.tiers", null, "Tiers that documents name")
        .register(List.of(MultiGauge.Row.of(Tags.empty(), tiers.size())), true);
    gauges("dynims.tiers.state", null, "Tiers by state")
        .register(
            Arrays.stream(TierState.values())
                .<MultiGauge.Row<?>>map(
                    s -> MultiGauge.Row.of(Tags.of("state", s.name()), states.getOrDefault(s, 0L)))
                .toList(),
            true);
    return registry.scrape(CONTENT_TYPE);
  }

  private void row(
      String name,
      String unit,
      String description,
      List<TierView> tiers,
      Function<TierView, ? extends Number> value) {
    gauges(name, unit, description)
        .register(
            tiers.stream()
                .filter(view -> value.apply(view) != null)
                .<MultiGauge.Row<?>>map(
                    view ->
                        MultiGauge.Row.of(
                            Tags.of("node", view.node(), "tier", view.tier()), value.apply(view)))
                .toList(),
            true);
  }

  private MultiGauge gauges(String name, String unit, String description) {
    return perTier.computeIfAbsent(
        name,
        n -> MultiGauge.builder(n).baseUnit(unit).description(description).register(registry));
  }

  private Counter decision(Action action, Limit limit) {
    return Counter.builder("dynims.decisions")
        .description("Decisions of the job by what they do and what limited them")
        .tag("action", action.name())
        .tag("limit", limit.name())
        .register(registry);
  }

  private Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  private Timer timer(String name, String description) {
    return Timer.builder(name)
        .description(description)
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }
}
