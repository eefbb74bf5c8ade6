package io.dynims.controller.kafka;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
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
 * Keeps the topics there and the topic of policies equal to what the documents say, on a thread of
 * its own. Every round can be repeated. The topic is read again after a failure, because nothing is
 * known any more about what it holds, and now and then in any case: an earlier leader whose last
 * write was under way when it was replaced may have written after this one.
 */
public final class PolicyPublisher implements AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(PolicyPublisher.class);
  private static final long ROUND_MILLIS = 1_000;
  private static final int ADMIN_TIMEOUT_MILLIS = 5_000;
  private static final long READ_ANEW_NANOS = SECONDS.toNanos(30);

  /** What the topic should hold; a tier that is claimed and has no value keeps what it has. */
  private record Wanted(long version, Map<String, byte[]> values, Set<String> claimed) {}

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "kafka-upkeep"));
  private final TopicSetup topics;
  private final PolicyTopic topic;
  private final KafkaSettings settings;
  private final Consumer<Policy> onOrphan;

  private Admin admin;
  private Map<String, byte[]> published;
  private long readNanos;
  private volatile Wanted wanted;
  private volatile String failure = "has not answered yet";
  private volatile long publishedVersion;
  private long version;

  /**
   * Starts to look after the topics; publishes nothing before {@link #publish}.
   *
   * @param onOrphan told, on any thread, of a policy that was withdrawn while nobody published
   */
  public PolicyPublisher(KafkaSettings settings, Consumer<Policy> onOrphan) {
    this.settings = settings;
    this.onOrphan = onOrphan;
    this.topics = new TopicSetup(settings);
    this.topic = new PolicyTopic(settings);
    var unusedFuture = thread.scheduleWithFixedDelay(this::round, 0, ROUND_MILLIS, MILLISECONDS);
  }

  /**
   * Makes this the content of the topic; returns at once. To be called by one thread.
   *
   * @param policies what is known in full
   * @param claimed every tier that a document names; what is not among them is withdrawn
   */
  public void publish(Collection<Policy> policies, Collection<TierKey> claimed) {
    Map<String, byte[]> values = new HashMap<>();
    policies.forEach(p -> values.put(p.key().toString(), WireCodec.POLICY.encode(p)));
    version++;
    wanted =
        new Wanted(
            version, values, claimed.stream().map(TierKey::toString).collect(Collectors.toSet()));
    try {
      thread.execute(this::round);
    } catch (RejectedExecutionException e) {
      LOG.debug("policies are not published any more: shutting down");
    }
  }

  /**
   * Publishes nothing any more until {@link #publish}, and reads anew what others did meanwhile.
   */
  public void pause() {
    wanted = null;
    try {
      thread.execute(() -> published = null);
    } catch (RejectedExecutionException e) {
      LOG.debug("nothing to pause: shutting down");
    }
  }

  /** Why Kafka cannot be used; empty if it can. */
  public String failure() {
    return failure;
  }

  /** Whether the topic holds what the documents say. */
  public boolean upToDate() {
    Wanted now = wanted;
    return now != null && failure.isEmpty() && publishedVersion == now.version();
  }

  private void round() {
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
        LOG.info("Kafka at {} is there", settings.bootstrapServers());
      }
      failure = "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException e) {
      failed(e.getCause());
    } catch (KafkaException e) {
      failed(e);
    } catch (RuntimeException e) {
      LOG.error("the round failed and is tried again", e);
      failed(e);
    }
  }

  private void failed(Throwable cause) {
    published = null;
    String why = settings.bootstrapServers() + ": " + cause.getMessage();
    if (failure.isEmpty() || failure.equals("has not answered yet")) {
      LOG.warn("Kafka cannot be used, trying again: {}", why);
    }
    failure = why;
  }

  private void reconcile() throws ExecutionException, InterruptedException {
    if (wanted == null) {
      return;
    }
    boolean anew = published == null || System.nanoTime() - readNanos > READ_ANEW_NANOS;
    if (anew) {
      published = topic.read();
      readNanos = System.nanoTime();
    }
    // Reading takes its time: by now there may be more to publish, or somebody else who does.
    Wanted now = wanted;
    if (now == null) {
      published = null;
      return;
    }
    if (anew) {
      published.forEach((key, value) -> tellOrphan(now, key, value));
    }
    Map<String, byte[]> changes = changes(now);
    if (!changes.isEmpty()) {
      topic.write(changes);
      changes.forEach(this::note);
    }
    publishedVersion = now.version();
  }

  private void tellOrphan(Wanted now, String key, byte[] value) {
    if (!now.claimed().contains(key)) {
      try {
        onOrphan.accept(WireCodec.POLICY.decode(value));
      } catch (WireException e) {
        LOG.warn("the policy of {} is withdrawn; it could not be read: {}", key, e.getMessage());
      }
    }
  }

  private Map<String, byte[]> changes(Wanted now) {
    Map<String, byte[]> changes = new HashMap<>(now.values());
    changes.entrySet().removeIf(e -> Arrays.equals(e.getValue(), published.get(e.getKey())));
    published.keySet().stream()
        .filter(key -> !now.claimed().contains(key))
        .forEach(key -> changes.put(key, null));
    return changes;
  }

  private void note(String key, byte[] value) {
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
