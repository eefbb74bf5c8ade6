package io.dynims.controller.kubernetes;

import io.dynims.controller.kubernetes.v1alpha1.MemoryTier;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Writes the events of MemoryTiers. What was said of the same resource before is counted up instead
 * of said again. For use by one thread; waits for the API server.
 */
final class EventWriter {

  private static final Logger LOG = LogManager.getLogger(EventWriter.class);
  private static final int REMEMBERED = 500;
  private static final int MESSAGE_CHARACTERS = 1_000;

  private record Saying(String uid, String reason, String message) {}

  private final KubernetesClient client;
  private final String instance;
  private final Clock clock;
  private final Map<Saying, Event> said =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Saying, Event> eldest) {
          return size() > REMEMBERED;
        }
      };

  EventWriter(KubernetesClient client, String instance, Clock clock) {
    this.client = client;
    this.instance = instance;
    this.clock = clock;
  }

  /** Something that is as it should be. */
  void normal(TierDocument about, String reason, String message) {
    say("Normal", about, reason, message);
  }

  /** Something that needs attention. */
  void warning(TierDocument about, String reason, String message) {
    say("Warning", about, reason, message);
  }

  private void say(String type, TierDocument about, String reason, String message) {
    LOG.info("{}: {}: {}", about.id(), reason, message);
    String cut = message.substring(0, Math.min(message.length(), MESSAGE_CHARACTERS));
    Saying saying = new Saying(about.uid(), reason, cut);
    String now = clock.instant().truncatedTo(ChronoUnit.SECONDS).toString();
    Event before = said.remove(saying);
    said.put(saying, before == null ? create(type, about, reason, cut, now) : again(before, now));
  }

  private Event again(Event before, String now) {
    int count = before.getCount() + 1;
    return client
        .v1()
        .events()
        .inNamespace(before.getMetadata().getNamespace())
        .withName(before.getMetadata().getName())
        .patch(
            PatchContext.of(PatchType.JSON_MERGE),
            "{\"count\":" + count + ",\"lastTimestamp\":\"" + now + "\"}");
  }

  private Event create(String type, TierDocument about, String reason, String message, String now) {
    Event event =
        new EventBuilder()
            .withNewMetadata()
            .withNamespace(about.namespace())
            .withName(about.name() + "." + UUID.randomUUID().toString().substring(0, 16))
            .endMetadata()
            .withNewInvolvedObject()
            .withApiVersion(MemoryTier.GROUP + "/" + MemoryTier.VERSION)
            .withKind("MemoryTier")
            .withNamespace(about.namespace())
            .withName(about.name())
            .withUid(about.uid())
            .endInvolvedObject()
            .withType(type)
            .withReason(reason)
            .withMessage(message)
            .withFirstTimestamp(now)
            .withLastTimestamp(now)
            .withCount(1)
            .withNewSource("dynims-controller", instance)
            .withReportingComponent("dynims.io/controller")
            .withReportingInstance(instance)
            .build();
    return client.resource(event).create();
  }
}
