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
import io.dynims.runtime.config.BuildVersion;
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

/** The controller's metrics. Thread-safe. */
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
  private final Map<Limit, Counter> guardDecisions = new EnumMap<>(Limit.class);
  private final Timer pushLatency =
      timer("dynims.push", "Time from a request to an adapter to its reply");
  private final Timer reaction =
      timer("dynims.sample.to.in.force", "Time from a memory sample to the capacity in force");
  private final Counter acksDropped =
      counter("dynims.acks.dropped", "Acks that Kafka did not accept in time");
  private final Counter historyDropped =
      counter("dynims.history.dropped", "Decisions for the history that Kafka did not accept");
  private final Counter connectionsRefused =
      counter("dynims.rest.connections.refused", "Connections to the REST port beyond the maximum");
  private final Counter clientsDisconnected =
      counter("dynims.rest.clients.disconnected", "Clients of the REST port that stalled");

  /** All metrics, at 0. */
  public ControllerMetrics() {
    Gauge.builder(BuildVersion.METRIC, () -> 1)
        .description("The version of this program")
        .tag("version", BuildVersion.text())
        .register(registry);
    for (AckStatus status : AckStatus.values()) {
      pushes.put(
          status,
          Counter.builder("dynims.pushes")
              .description("Pushes to adapters by result")
              .tag("status", status.name())
              .register(registry));
    }
    for (Limit limit : Limit.values()) {
      guardDecisions.put(
          limit,
          Counter.builder("dynims.guard.decisions")
              .description("Decisions of the guards on the nodes by limit")
              .tag("limit", limit.name())
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
  public void countDecision(Target target) {
    decisions.get(target.action()).get(target.limitedBy()).increment();
  }

  /** Counts a decision of the guard on a node. */
  public void countGuardDecision(Target target) {
    guardDecisions.get(target.limitedBy()).increment();
  }

  /** Records the result and duration of a push. */
  public void recordPush(AckStatus status, long tookNanos) {
    pushes.get(status).increment();
    pushLatency.record(tookNanos, NANOSECONDS);
  }

  /** Records how old the sample behind a capacity was when the capacity took effect. */
  public void recordReaction(long sampleAgeMillis) {
    reaction.record(Math.max(0, sampleAgeMillis), MILLISECONDS);
  }

  public void ackDropped() {
    acksDropped.increment();
  }

  public void historyDropped() {
    historyDropped.increment();
  }

  void connectionRefused() {
    connectionsRefused.increment();
  }

  void clientDisconnected() {
    clientsDisconnected.increment();
  }

  /** Adds a counter. */
  public Counter counter(String name, String description) {
    return Counter.builder(name).description(description).register(registry);
  }

  /** Adds a gauge whose value is read at each scrape, on any thread. */
  public void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(name, value).description(description).register(registry);
  }

  /**
   * All series, up to twelve of them per tier. Too slow for the event loop if there are many tiers.
   */
  synchronized String scrape(FleetNumbers fleet) {
    List<TierView> tiers = fleet.tiers();
    row(
        "dynims.tier.desired",
        BYTES,
        "Capacity of the last decision",
        tiers,
        TierView::desiredBytes);
    row(
        "dynims.tier.capacity",
        BYTES,
        "Capacity in force, as the tier reported it",
        tiers,
        TierView::capacityBytes);
    row(
        "dynims.tier.used",
        BYTES,
        "Memory that the tier's data occupies",
        tiers,
        TierView::usedBytes);
    row(
        "dynims.tier.unevictable",
        BYTES,
        "Data that should be evicted but cannot be now",
        tiers,
        TierView::unevictableBytes);
    row(
        "dynims.tier.unpersisted",
        BYTES,
        "Data that exists in the tier and nowhere else",
        tiers,
        TierView::unpersistedBytes);
    row(
        "dynims.tier.hit",
        "ratio",
        "Share of the block reads of the last minute that the tier served",
        tiers,
        TierView::hitRatio);
    row(
        "dynims.tier.guarded",
        null,
        "1 if the guard on the node decides, else 0",
        tiers,
        view -> view.state() == TierState.Guarded ? 1 : 0);
    row(
        "dynims.tier.memory.utilization",
        "ratio",
        "Memory in use as a share of the memory that the node may use",
        tiers,
        TierView::utilization);
    row(
        "dynims.tier.threshold",
        "ratio",
        "Utilization to hold the node at",
        tiers,
        TierView::threshold);
    row(
        "dynims.tier.memory.pressure",
        "ratio",
        "Share of the time in which tasks waited for memory",
        tiers,
        view -> view.lastDecision() == null ? null : view.lastDecision().pressure());
    row(
        "dynims.tier.sample.age",
        "seconds",
        "Age of the sample behind the last decision; not for tiers in mode Off",
        tiers,
        view ->
            view.ageMillis() == null || view.mode() == Mode.Off
                ? null
                : view.ageMillis() / 1_000.0);
    Map<TierState, Long> states =
        tiers.stream().collect(Collectors.groupingBy(TierView::state, Collectors.counting()));
    single("dynims.tiers", "Tiers that policies name", tiers.size());
    single("dynims.policies.refused", "Errors in policies", fleet.errors());
    single(
        "dynims.policies.withdrawal.delayed",
        "Tiers that no document names any more, and that are not withdrawn yet",
        fleet.withheld());
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

  private void single(String name, String description, int value) {
    gauges(name, null, description).register(List.of(MultiGauge.Row.of(Tags.empty(), value)), true);
  }

  private MultiGauge gauges(String name, String unit, String description) {
    return perTier.computeIfAbsent(
        name,
        n -> MultiGauge.builder(n).baseUnit(unit).description(description).register(registry));
  }

  private Counter decision(Action action, Limit limit) {
    return Counter.builder("dynims.decisions")
        .description("Decisions of the job by action and limit")
        .tag("action", action.name())
        .tag("limit", limit.name())
        .register(registry);
  }

  private Timer timer(String name, String description) {
    return Timer.builder(name)
        .description(description)
        .serviceLevelObjectives(BUCKETS)
        .register(registry);
  }
}
