package io.dynims.controller.kafka;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import io.dynims.policy.Vacancy;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Creates missing topics and keeps the policy topic in sync with the policy documents, on its own
 * thread. Every sync is idempotent. The topic is read again after a failure, because its content is
 * then unknown, and periodically, because a write that was in flight when a former leader was
 * replaced may arrive after this leader's.
 */
public final class PolicyPublisher implements AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(PolicyPublisher.class);
  private static final long SYNC_MILLIS = 1_000;
  private static final String NOT_ANSWERED = "has not answered yet";
  private static final int ADMIN_TIMEOUT_MILLIS = 5_000;
  private static final long REREAD_NANOS = SECONDS.toNanos(30);

  /**
   * The intended content of the topic; a claimed tier without a value keeps its current one, and so
   * does one whose withdrawal is pending.
   */
  private record Desired(
      long version, Map<String, byte[]> values, Set<String> claimed, Vacancy pending) {

    /** Whether a published policy stays although no document may name its tier. */
    boolean keeps(String key) {
      return claimed.contains(key) || isPending(key);
    }

    private boolean isPending(String key) {
      try {
        return pending.covers(TierKey.parse(key));
      } catch (IllegalArgumentException e) {
        return false; // No tier's: it does not belong there.
      }
    }
  }

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "kafka-upkeep"));
  private final TopicSetup topics;
  private final PolicyTopic topic;
  private final KafkaSettings settings;
  private final Consumer<Policy> onOrphan;

  private Admin admin;
  private Map<String, byte[]> published;
  private long readNanos;
  private Vacancy readPending = Vacancy.NONE;
  private volatile Desired desired;
  private volatile String failure = NOT_ANSWERED;
  private volatile long publishedVersion;
  private long version;

  /**
   * Starts to create missing topics; policies are published from the first {@link #publish} on.
   *
   * @param onOrphan called on any thread for each published policy whose tier is no longer claimed,
   *     because the claim ended while no controller was publishing
   */
  public PolicyPublisher(KafkaSettings settings, Consumer<Policy> onOrphan) {
    this.settings = settings;
    this.onOrphan = onOrphan;
    this.topics = new TopicSetup(settings);
    this.topic = new PolicyTopic(settings);
    var unusedFuture = thread.scheduleWithFixedDelay(this::sync, 0, SYNC_MILLIS, MILLISECONDS);
  }

  /**
   * Sets the intended content of the topic and returns at once. For use by one thread.
   *
   * @param policies the complete policies
   * @param claimed all tiers that a document names; policies of other tiers are withdrawn
   * @param pending where policies of other tiers are not withdrawn yet
   */
  public void publish(Collection<Policy> policies, Collection<TierKey> claimed, Vacancy pending) {
    Map<String, byte[]> values = new HashMap<>();
    policies.forEach(p -> values.put(p.key().toString(), WireCodec.POLICY.encode(p)));
    version++;
    desired =
        new Desired(
            version,
            values,
            claimed.stream().map(TierKey::toString).collect(Collectors.toSet()),
            pending);
    try {
      thread.execute(this::sync);
    } catch (RejectedExecutionException e) {
      LOG.debug("not publishing policies: shutting down");
    }
  }

  /** Stops publishing until the next {@link #publish}, which then reads the topic first. */
  public void pause() {
    desired = null;
    try {
      thread.execute(() -> published = null);
    } catch (RejectedExecutionException e) {
      LOG.debug("not pausing: shutting down");
    }
  }

  /** Why Kafka is unavailable; empty if it is available. */
  public String failure() {
    return failure;
  }

  /** Whether the topic has the intended content. */
  public boolean upToDate() {
    Desired now = desired;
    return now != null && failure.isEmpty() && publishedVersion == now.version();
  }

  private void sync() {
    try {
      if (admin == null) {
        admin =
            Admin.create(
                settings.with(
                    Map.of(
                        "default.api.timeout.ms",
                        ADMIN_TIMEOUT_MILLIS,
                        "request.timeout.ms",
                        ADMIN_TIMEOUT_MILLIS)));
      }
      topics.ensure(admin);
      reconcile();
      if (!failure.isEmpty()) {
        LOG.info("connected to Kafka at {}", settings.bootstrapServers());
      }
      failure = "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      failed(e.getCause());
    } catch (KafkaException e) {
      failed(e);
    } catch (RuntimeException e) {
      LOG.error("cannot sync policies, retrying", e);
      failed(e);
    }
  }

  private void failed(Throwable cause) {
    published = null;
    String why = settings.bootstrapServers() + ": " + cause.getMessage();
    if (failure.isEmpty() || failure.equals(NOT_ANSWERED)) {
      String what = cause instanceof TopicSetup.RefusedException ? "refuses" : "is unavailable";
      LOG.warn("Kafka {}, retrying: {}", what, why);
    }
    failure = why;
  }

  private void reconcile() throws ExecutionException, InterruptedException {
    Desired wanted = desired;
    if (wanted == null) {
      return;
    }
    // What is no longer pending becomes an orphan.
    boolean reread =
        published == null
            || System.nanoTime() - readNanos > REREAD_NANOS
            || !wanted.pending().equals(readPending);
    if (reread) {
      published = topic.read();
      readNanos = System.nanoTime();
    }
    // Meanwhile there may be a newer version to publish, or another leader.
    Desired now = desired;
    if (now == null) {
      published = null;
      return;
    }
    if (reread) {
      readPending = now.pending();
      published.forEach((key, value) -> reportOrphan(now, key, value));
    }
    Map<String, byte[]> changes = changes(now);
    if (!changes.isEmpty()) {
      topic.write(changes);
      changes.forEach(this::recordWritten);
    }
    publishedVersion = now.version();
  }

  private void reportOrphan(Desired now, String key, byte[] value) {
    if (!now.keeps(key)) {
      try {
        onOrphan.accept(WireCodec.POLICY.decode(value));
      } catch (WireException e) {
        LOG.warn("withdrawing the policy of {}, which cannot be read: {}", key, e.getMessage());
      }
    }
  }

  private Map<String, byte[]> changes(Desired now) {
    Map<String, byte[]> changes = new HashMap<>(now.values());
    changes.entrySet().removeIf(e -> Arrays.equals(e.getValue(), published.get(e.getKey())));
    published.keySet().stream()
        .filter(key -> !now.keeps(key))
        .forEach(key -> changes.put(key, null));
    return changes;
  }

  private void recordWritten(String key, byte[] value) {
    if (value == null) {
      published.remove(key);
      LOG.debug("withdrew the policy of {}", key);
    } else {
      published.put(key, value);
      LOG.debug("published the policy of {}", key);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    try {
      if (thread.awaitTermination(ADMIN_TIMEOUT_MILLIS, MILLISECONDS) && admin != null) {
        admin.close();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
