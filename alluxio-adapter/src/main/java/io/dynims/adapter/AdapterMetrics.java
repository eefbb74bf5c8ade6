package io.dynims.adapter;

import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.ToDoubleFunction;

/** What the adapter counts. Safe for use by many threads. */
final class AdapterMetrics {

  /** How a request to resize ended. */
  enum Outcome {
    /** The capacity asked for is in force. */
    Applied,
    /** Another one is: what could be had. */
    Partial,
    /** It rests on an older sample than the last one applied. */
    Outdated,
    /** It is malformed. */
    Invalid,
    /** The worker is away. */
    Unavailable,
    /** The adapter failed. */
    Failed;

    static Outcome of(int httpStatus) {
      return switch (httpStatus) {
        case 200 -> Applied;
        case 202 -> Partial;
        case 409 -> Outdated;
        case 400, 413 -> Invalid;
        case 503 -> Unavailable;
        default -> Failed;
      };
    }
  }

  /** Tells what the tier is now, without waiting for the worker or a resize. */
  @FunctionalInterface
  interface StatusSource {

    TierStatus status() throws StoreUnavailableException;
  }

  static final String CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

  private static final Duration[] BUCKETS = {
    Duration.ofMillis(1), Duration.ofMillis(2), Duration.ofMillis(5), Duration.ofMillis(10),
    Duration.ofMillis(20), Duration.ofMillis(40), Duration.ofMillis(80), Duration.ofMillis(160),
    Duration.ofMillis(320), Duration.ofMillis(640)
  };

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Map<Outcome, Counter> resizes = new EnumMap<>(Outcome.class);
  private final Timer resizeLatency;
  private final Counter freedBytes;
  private volatile StatusSource source;

  /** As the tier was at the scrape that is under way; null while the worker is away. */
  private TierStatus scraped;

  /**
   * AdapterMetrics that all stand at 0.
   *
   * @param tier the tier's name, a label of every series
   * @param connects how often the worker was connected to
   */
  AdapterMetrics(String tier, LongSupplier connects) {
    registry.config().commonTags("tier", tier);
    bytes("capacity", "The capacity in force", TierStatus::capacityBytes);
    bytes("used", "What the tier's data occupies", TierStatus::usedBytes);
    bytes("reserved", "What is held back from the worker", TierStatus::reservedBytes);
    bytes(
        "unevictable", "What could not be evicted when it was to be", TierStatus::unevictableBytes);
    bytes("min", "The least capacity accepted", TierStatus::minBytes);
    bytes("max", "The capacity that the worker was given", TierStatus::maxBytes);
    gauge(
        "lease.held",
        null,
        "1 while a controller's lease on the capacity runs, else 0",
        status -> Boolean.TRUE.equals(status.leaseHeld()) ? 1 : 0);
    Gauge.builder("dynims.adapter.worker.up", () -> scraped == null ? 0 : 1)
        .description("1 while the worker is connected, else 0")
        .register(registry);
    FunctionCounter.builder("dynims.adapter.worker.connects", connects, LongSupplier::getAsLong)
        .description("How often the worker was connected to")
        .register(registry);
    for (Outcome outcome : Outcome.values()) {
      resizes.put(
          outcome,
          Counter.builder("dynims.adapter.resizes")
              .description("Requests to resize by how they ended")
              .tag("outcome", outcome.name())
              .register(registry));
    }
    resizeLatency =
        Timer.builder("dynims.adapter.resize")
            .description("From a request to resize to its answer")
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
    freedBytes =
        Counter.builder("dynims.adapter.freed")
            .baseUnit("bytes")
            .description("What the tier's data gave up as the capacity was made less")
            .register(registry);
  }

  /** Takes the tier's numbers from there; until then the worker counts as away. */
  void watch(StatusSource newSource) {
    source = newSource;
  }

  /** Counts a request to resize that took this long. */
  void resized(Outcome outcome, long tookNanos) {
    resizes.get(outcome).increment();
    resizeLatency.record(tookNanos, TimeUnit.NANOSECONDS);
  }

  /** Counts memory that the tier's data gave up. */
  void freed(long bytes) {
    freedBytes.increment((double) bytes);
  }

  /** All series; those of the tier are NaN while the worker is away. */
  synchronized String scrape() {
    try {
      scraped = source == null ? null : source.status();
    } catch (StoreUnavailableException e) {
      scraped = null;
    }
    return registry.scrape(CONTENT_TYPE);
  }

  private void bytes(String name, String description, ToDoubleFunction<TierStatus> value) {
    gauge(name, "bytes", description, value);
  }

  private void gauge(
      String name, String unit, String description, ToDoubleFunction<TierStatus> value) {
    Gauge.builder(
            "dynims.adapter." + name,
            () -> scraped == null ? Double.NaN : value.applyAsDouble(scraped))
        .baseUnit(unit)
        .description(description)
        .register(registry);
  }
}
