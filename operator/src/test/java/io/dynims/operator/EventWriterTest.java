package io.dynims.operator;

import static io.dynims.operator.TestCluster.CREATED;
import static io.dynims.operator.TestCluster.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EventWriterTest {

  private static final Clock CLOCK =
      Clock.fixed(Instant.parse("2026-11-21T12:30:00.123Z"), ZoneOffset.UTC);
  private static final TierDocument ABOUT = document("alluxio", CREATED, "{}");

  private final ApiStub api = new ApiStub();
  private final EventWriter events = new EventWriter(api.client(), "controller-0", CLOCK);

  EventWriterTest() throws IOException {}

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void anEventNamesItsResourceAndItsReporter() {
    events.warning(ABOUT, "NodesLost", "n1");
    events.flush();

    assertThat(api.writes()).hasSize(1);
    assertThat(api.writes().get(0).path()).isEqualTo("/api/v1/namespaces/default/events");
    JsonNode event = api.body(0);
    assertThat(event.at("/involvedObject/kind").asText()).isEqualTo("MemoryTier");
    assertThat(event.at("/involvedObject/apiVersion").asText()).isEqualTo("dynims.io/v1alpha1");
    assertThat(event.at("/involvedObject/uid").asText()).isEqualTo("alluxio");
    assertThat(event.at("/type").asText()).isEqualTo("Warning");
    assertThat(event.at("/reason").asText()).isEqualTo("NodesLost");
    assertThat(event.at("/message").asText()).isEqualTo("n1");
    assertThat(event.at("/count").asInt()).isEqualTo(1);
    assertThat(event.at("/firstTimestamp").asText()).isEqualTo("2026-11-21T12:30:00Z");
    assertThat(event.at("/reportingInstance").asText()).isEqualTo("controller-0");
  }

  @Test
  void aRepeatedEventIsCounted() {
    events.normal(ABOUT, "NodesBack", "n1");
    events.normal(ABOUT, "NodesBack", "n1");
    events.normal(ABOUT, "NodesBack", "n1");
    events.flush();

    String path = "/api/v1/namespaces/default/events";
    String event = path + "/" + api.body(0).at("/metadata/name").asText();
    assertThat(api.requests()).containsExactly("POST " + path, "PATCH " + event, "PATCH " + event);
    assertThat(api.body(2).at("/count").asInt()).isEqualTo(3);
  }

  @Test
  void anExpiredEventIsCreatedAgain() {
    events.normal(ABOUT, "NodesBack", "n1");
    events.flush();
    api.refuse("PATCH", 404);

    events.normal(ABOUT, "NodesBack", "n1");
    events.flush();

    assertThat(api.writes()).extracting(ApiStub.Write::method).containsExactly("POST", "POST");
    assertThat(api.body(1).at("/count").asInt()).isEqualTo(1);
    assertThat(api.body(1).at("/metadata/name")).isNotEqualTo(api.body(0).at("/metadata/name"));
  }

  @Test
  void eventsAreWrittenOnceTheApiServerIsBack() {
    api.refuse("POST", 503);
    events.normal(ABOUT, "ModeChanged", "mode is Enforce");
    events.warning(ABOUT, "NodesLost", "n1");
    assertThatThrownBy(events::flush).isInstanceOf(KubernetesClientException.class);

    api.refuse("POST", 0);
    events.flush();
    events.flush();

    assertThat(api.writes())
        .extracting(write -> write.body().at("/reason").asText())
        .containsExactly("ModeChanged", "NodesLost");
  }

  @ParameterizedTest
  @ValueSource(ints = {403, 404, 422})
  void aRejectedEventIsNotRetried(int status) {
    api.refuse("POST", status);
    events.normal(ABOUT, "Released", "n1");
    events.flush();

    api.refuse("POST", 0);
    events.normal(ABOUT, "NodesBack", "n1");
    events.flush();

    assertThat(api.writes())
        .extracting(write -> write.body().at("/reason").asText())
        .containsExactly("NodesBack");
  }

  @Test
  void clearedEventsAreNotWritten() {
    events.normal(ABOUT, "NodesBack", "n1");
    events.clear();
    events.flush();

    assertThat(api.writes()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-", ".", ".-"})
  void theNameOfAnEventIsValidHoweverLongTheResourcesNameIs(String atTheEnd) {
    String name = "a".repeat(236 - atTheEnd.length()) + atTheEnd + "b".repeat(17);
    assertThat(name).hasSize(253);

    events.normal(document(name, CREATED, "{}"), "NodesBack", "n1");
    events.flush();

    assertThat(api.body(0).at("/metadata/name").asText())
        .hasSizeLessThanOrEqualTo(253)
        .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");
  }

  @Test
  void aLongMessageIsTruncated() {
    events.normal(ABOUT, "NodesBack", "n".repeat(2_000));
    events.flush();

    assertThat(api.body(0).at("/message").asText()).hasSize(1_000);
  }
}
