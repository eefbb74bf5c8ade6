package io.dynims.operator;

import static java.net.HttpURLConnection.HTTP_BAD_REQUEST;
import static java.net.HttpURLConnection.HTTP_INTERNAL_ERROR;
import static java.net.HttpURLConnection.HTTP_NOT_FOUND;

import io.dynims.operator.v1alpha1.MemoryTier;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Writes the events of MemoryTiers. The count of a repeated event is incremented; events that
 * cannot be written while the API server is down are written later. For use by one thread.
 */
final class EventWriter implements Events {

  private static final Logger LOG = LogManager.getLogger(EventWriter.class);
  private static final int HTTP_TOO_MANY_REQUESTS = 429;
  private static final int MAX_EVENTS = 500;
  private static final int MESSAGE_CHARACTERS = 1_000;
  private static final int NAME_CHARACTERS = 253;
  private static final int SUFFIX_CHARACTERS = 16;

  private record EventKey(String uid, String reason, String message) {}

  private record Pending(
      String type, TierDocument about, String reason, String message, String time) {}

  private final KubernetesClient client;
  private final String instance;
  private final Clock clock;
  private final Queue<Pending> pending = new ArrayDeque<>();
  private final Map<EventKey, Event> recorded =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<EventKey, Event> eldest) {
          return size() > MAX_EVENTS;
        }
      };

  EventWriter(KubernetesClient client, String instance, Clock clock) {
    this.client = client;
    this.instance = instance;
    this.clock = clock;
  }

  @Override
  public void normal(TierDocument about, String reason, String message) {
    enqueue("Normal", about, reason, message);
  }

  @Override
  public void warning(TierDocument about, String reason, String message) {
    enqueue("Warning", about, reason, message);
  }

  private void enqueue(String type, TierDocument about, String reason, String message) {
    LOG.info("{}: {}: {}", about.id(), reason, message);
    String truncated = message.substring(0, Math.min(message.length(), MESSAGE_CHARACTERS));
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    if (pending.size() == MAX_EVENTS) {
      pending.remove();
    }
    pending.add(new Pending(type, about, reason, truncated, now));
  }

  /**
   * Writes the pending events; blocks until the API server has answered.
   *
   * @throws KubernetesClientException if it is down; unwritten events stay pending
   */
  void flush() {
    for (Pending next = pending.peek(); next != null; next = pending.peek()) {
      try {
        write(next);
      } catch (KubernetesClientException e) {
        if (!isRejected(e)) {
          throw e;
        }
        LOG.warn("event {} of {} rejected: {}", next.reason(), next.about().id(), e);
      }
      pending.remove();
    }
  }

  /** Drops the pending events. */
  void clear() {
    pending.clear();
  }

  /** Whether the API server rejected a request, so that a retry is pointless. */
  static boolean isRejected(KubernetesClientException e) {
    return e.getCode() >= HTTP_BAD_REQUEST
        && e.getCode() < HTTP_INTERNAL_ERROR
        && e.getCode() != HTTP_TOO_MANY_REQUESTS;
  }

  private void write(Pending next) {
    EventKey key = new EventKey(next.about().uid(), next.reason(), next.message());
    Event before = recorded.get(key);
    Event written = before == null ? null : increment(before, next.time());
    recorded.remove(key);
    recorded.put(key, written == null ? create(next) : written);
  }

  /** Increments an event's count; null if it is gone: the API server keeps events for an hour. */
  private Event increment(Event before, String now) {
    Event more =
        new EventBuilder(before)
            .editMetadata()
            .withResourceVersion(null)
            .withManagedFields()
            .endMetadata()
            .withCount(before.getCount() + 1)
            .withLastTimestamp(now)
            .build();
    try {
      // With the whole event, because for a patch as text the client reads the event first.
      return client.resource(more).patch(PatchContext.of(PatchType.JSON_MERGE));
    } catch (KubernetesClientException e) {
      if (e.getCode() == HTTP_NOT_FOUND) {
        return null;
      }
      throw e;
    }
  }

  private Event create(Pending next) {
    TierDocument about = next.about();
    Event event =
        new EventBuilder()
            .withNewMetadata()
            .withNamespace(about.namespace())
            .withName(name(about.name()))
            .endMetadata()
            .withNewInvolvedObject()
            .withApiVersion(MemoryTier.GROUP + "/" + MemoryTier.VERSION)
            .withKind("MemoryTier")
            .withNamespace(about.namespace())
            .withName(about.name())
            .withUid(about.uid())
            .endInvolvedObject()
            .withType(next.type())
            .withReason(next.reason())
            .withMessage(next.message())
            .withFirstTimestamp(next.time())
            .withLastTimestamp(next.time())
            .withCount(1)
            .withNewSource("dynims-controller", instance)
            .withReportingComponent("dynims.io/controller")
            .withReportingInstance(instance)
            .build();
    return client.resource(event).create();
  }

  /** A unique event name; a long resource name is truncated. */
  private static String name(String of) {
    int room = NAME_CHARACTERS - SUFFIX_CHARACTERS - 1;
    String cut = of.substring(0, Math.min(of.length(), room)).replaceAll("[.-]+$", "");
    String suffix = UUID.randomUUID().toString().replace("-", "").substring(0, SUFFIX_CHARACTERS);
    return cut + "." + suffix;
  }
}
