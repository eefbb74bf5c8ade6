package io.dynims.operator;

import static io.dynims.operator.TestCluster.CREATED;
import static io.dynims.operator.TestCluster.document;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.operator.v1alpha1.MemoryTierStatus;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StatusWriterTest {

  private static final long SECOND = 1_000_000_000L;
  private static final TierDocument DOCUMENT = document("alluxio", CREATED, "{}");

  private final ApiStub api = new ApiStub();
  private final StatusWriter statuses = new StatusWriter(api.client());

  StatusWriterTest() throws IOException {}

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void aStatusIsMergedIntoTheStatusSubresource() {
    assertThat(statuses.write(DOCUMENT, status(1), 0)).isTrue();

    assertThat(api.requests())
        .containsExactly(
            "PATCH /apis/dynims.io/v1alpha1/namespaces/default/memorytiers/alluxio/status");
    assertThat(api.body(0).has("spec")).isFalse();
    assertThat(api.body(0).at("/metadata/uid").asText()).isEqualTo("alluxio");
    assertThat(api.body(0).at("/status/nodes/ready").asInt()).isEqualTo(1);
    assertThat(api.body(0).at("/status/conditions/0/type").asText()).isEqualTo("Ready");
  }

  @Test
  void theSameStatusIsWrittenOnce() {
    statuses.write(DOCUMENT, status(1), 0);

    assertThat(statuses.write(DOCUMENT, status(1), 60 * SECOND)).isFalse();
    assertThat(api.writes()).hasSize(1);
  }

  @Test
  void aStatusThatAnEarlierLeaderWroteIsNotWrittenAgain() {
    TierDocument written = TestCluster.with(DOCUMENT, status(1));

    assertThat(statuses.last(written)).isEqualTo(status(1));
    assertThat(statuses.write(written, status(1), 0)).isFalse();
    assertThat(api.writes()).isEmpty();
  }

  @Test
  void aResourceIsDueAgainFiveSecondsAfterItWasWritten() {
    assertThat(statuses.isDue("alluxio", 0)).isTrue();
    statuses.write(DOCUMENT, status(1), 0);

    assertThat(statuses.isDue("alluxio", 5 * SECOND - 1)).isFalse();
    assertThat(statuses.isDue("alluxio", 5 * SECOND)).isTrue();
    assertThat(statuses.isDue("another", 0)).isTrue();
  }

  @Test
  void anUnchangedStatusDelaysNoLaterOne() {
    statuses.write(DOCUMENT, status(1), 0);
    statuses.write(DOCUMENT, status(1), 5 * SECOND);

    assertThat(statuses.isDue("alluxio", 6 * SECOND)).isTrue();
  }

  @Test
  void aFailedWriteIsRetriedAtOnce() {
    api.refuse("PATCH", 503);
    assertThatThrownBy(() -> statuses.write(DOCUMENT, status(1), 0))
        .isInstanceOf(KubernetesClientException.class);

    api.refuse("PATCH", 0);
    assertThat(statuses.isDue("alluxio", 1)).isTrue();
    assertThat(statuses.write(DOCUMENT, status(1), 1)).isTrue();
  }

  @Test
  void afterClearTheResourcesOwnStatusCounts() {
    statuses.write(DOCUMENT, status(1), 0);
    statuses.clear();

    assertThat(statuses.last(TestCluster.with(DOCUMENT, status(2)))).isEqualTo(status(2));
    assertThat(statuses.isDue("alluxio", 1)).isTrue();
  }

  @Test
  void onlyRetainedResourcesAreRemembered() {
    statuses.write(DOCUMENT, status(1), 0);
    statuses.retain(Set.of("alluxio"));
    assertThat(statuses.last(DOCUMENT)).isEqualTo(status(1));

    statuses.retain(Set.of());
    assertThat(statuses.last(DOCUMENT)).isNull();
  }

  private static MemoryTierStatus status(int ready) {
    return new MemoryTierStatus(
        3L,
        "Enforce",
        new MemoryTierStatus.Nodes(2, ready, 0),
        new MemoryTierStatus.Capacity(1, 2, 3, "2", "3"),
        List.of(new ConditionBuilder().withType("Ready").withStatus("False").build()));
  }
}
