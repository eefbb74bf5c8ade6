package io.dynims.adapter.runtime;

import io.dynims.runtime.config.BuildVersion;
import io.dynims.tier.ServerMetrics;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/** The adapter's metrics. Thread-safe. */
public final class AdapterMetrics implements ServerMetrics {

  /** How a resize request ended. */
  enum Outcome {
    /** The desired capacity is in force. */
    Applied,
    /** Another capacity is in force: the closest possible one. */
    Partial,
    /** Its sample is older than the last one applied. */
    Outdated,
    /** It has no valid token. */
    Refused,
    /** The request is malformed. */
    Invalid,
    /** The store is unavailable. */
    Unavailable,
    /** The adapter failed. */
    Failed;

    static Outcome of(int httpStatus) {
      return switch (httpStatus) {
        case 200 -> Applied;
        case 202 -> Partial;
        case 409 -> Outdated;
        case 401, 403 -> Refused;
        case 400, 413 -> Invalid;
        case 503 -> Unavailable;
        default -> Failed;
      };
    }
  }

  /** Supplies the tier's state without waiting for the store or a resize. */
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
  private final List<Runnable> beforeScrape = new CopyOnWriteArrayList<>();
  private volatile StatusSource source;

  /** The tier's state for the scrape in progress; null if the store is unavailable. */
  private TierStatus scraped;

  /**
   * Registers the metrics; all counters start at 0.
   *
   * @param tier the tier's name, a label of every series
   */
  public AdapterMetrics(String tier) {
    registry.config().commonTags("tier", tier);
    Gauge.builder(BuildVersion.METRIC, () -> 1)
        .description("The version of this program")
        .tag("version", BuildVersion.text())
        .register(registry);
    bytes("capacity", "Capacity in force", TierStatus::capacityBytes);
    bytes("used", "Bytes that the store counts as the tier's data", TierStatus::usedBytes);
    bytes("resident", "Bytes that the node lacks because of it", TierStatus::occupiedBytes);
    bytes("reserved", "Bytes held back from the store", TierStatus::reservedBytes);
    bytes(
        "unevictable",
        "Bytes that should have been evicted but could not be",
        TierStatus::unevictableBytes);
    bytes(
        "unpersisted",
        "Bytes of the tier's data that exist nowhere else",
        status -> status.unpersistedBytes() == null ? Double.NaN : status.unpersistedBytes());
    bytes("min", "Smallest capacity that the adapter accepts", TierStatus::minBytes);
    bytes("max", "Largest capacity that the adapter accepts", TierStatus::maxBytes);
    gauge(
        "hit",
        "ratio",
        "Share of the reads of the last minute that the tier served",
        status -> status.hitRatio() == null ? Double.NaN : status.hitRatio());
    gauge(
        "lease.held",
        null,
        "1 while a controller's lease on the capacity runs, else 0; not reported while the guard"
            + " has no policy to follow",
        AdapterMetrics::leaseHeld);
    Gauge.builder("dynims.adapter.worker.up", () -> scraped == null ? 0 : 1)
        .description("1 while the store is connected, else 0")
        .register(registry);
    for (Outcome outcome : Outcome.values()) {
      resizes.put(
          outcome,
          Counter.builder("dynims.adapter.resizes")
              .description("Resize requests by outcome")
              .tag("outcome", outcome.name())
              .register(registry));
    }
    resizeLatency =
        Timer.builder("dynims.adapter.resize")
            .description("Time from a resize request to its answer")
            .serviceLevelObjectives(BUCKETS)
            .register(registry);
    freedBytes =
        Counter.builder("dynims.adapter.freed")
            .baseUnit("bytes")
            .description("Bytes that the tier's data gave up when the capacity was reduced")
            .register(registry);
  }

  /** Of a tier that is paused, or in mode Recommend or Off, nobody has to hold a lease. */
  private static double leaseHeld(TierStatus status) {
    if (Boolean.TRUE.equals(status.leaseHeld())) {
      return 1;
    }
    return status.guard() == null ? Double.NaN : 0;
  }

  /** Sets where the tier's state comes from; until then the store counts as unavailable. */
  void setSource(StatusSource newSource) {
    source = newSource;
  }

  @Override
  public String contentType() {
    return CONTENT_TYPE;
  }

  @Override
  public void resized(int status, long durationNanos) {
    resizes.get(Outcome.of(status)).increment();
    resizeLatency.record(durationNanos, TimeUnit.NANOSECONDS);
  }

  /** Counts bytes that the tier's data gave up. */
  void recordFreed(long bytes) {
    freedBytes.increment((double) bytes);
  }

  /** Those of the tier's state are NaN while the store is unavailable. */
  @Override
  public synchronized String scrape() {
    try {
      scraped = source == null ? null : source.status();
    } catch (StoreUnavailableException e) {
      scraped = null;
    }
    beforeScrape.forEach(Runnable::run);
    return registry.scrape(CONTENT_TYPE);
  }

  /**
   * Registers a counter of the store, {@code dynims.adapter.NAME}.
   *
   * @param name such as {@code worker.connects}
   * @param count its value, never less than before
   */
  public void counter(String name, String description, LongSupplier count) {
    counter(name, Tags.empty(), description, count);
  }

  /** Registers one of several counters that differ in a label. */
  public void counter(
      String name, String label, String value, String description, LongSupplier count) {
    counter(name, Tags.of(label, value), description, count);
  }

  private void counter(String name, Tags tags, String description, LongSupplier count) {
    // A meter only refers weakly to what it counts, so it gets this object, which lives on.
    FunctionCounter.builder("dynims.adapter." + name, this, metrics -> count.getAsLong())
        .tags(tags)
        .description(description)
        .register(registry);
  }

  /**
   * Registers a gauge of the store, {@code dynims.adapter.NAME}.
   *
   * @param value its value at each scrape; NaN if it is unknown
   */
  public void gauge(String name, String description, DoubleSupplier value) {
    // See counter.
    Gauge.builder("dynims.adapter." + name, this, metrics -> value.getAsDouble())
        .description(description)
        .register(registry);
  }

  /**
   * Registers gauges in bytes that differ in a label, {@code dynims.adapter.NAME}.
   *
   * @param bytes the values by label at each scrape; a label that is missing then has none
   */
  public void byteGauges(
      String name, String label, String description, Supplier<Map<String, Long>> bytes) {
    MultiGauge gauges =
        MultiGauge.builder("dynims.adapter." + name)
            .baseUnit("bytes")
            .description(description)
            .register(registry);
    beforeScrape.add(
        () ->
            gauges.register(
                bytes.get().entrySet().stream()
                    .map(each -> Row.of(Tags.of(label, each.getKey()), each.getValue()))
                    .collect(Collectors.toList()),
                true));
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
