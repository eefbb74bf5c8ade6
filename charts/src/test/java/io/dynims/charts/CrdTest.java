package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;

/** The resource MemoryTier, which outlives the release. */
class CrdTest {

  private static final String KIND = "CustomResourceDefinition";

  @Test
  void isTheOneThatTheControllersBuildWrites() {
    ObjectNode rendered = new Chart().render().ofKind(KIND).get(0).deepCopy();
    ((ObjectNode) rendered.get("metadata")).remove("annotations");
    ((ObjectNode) rendered.get("metadata")).remove("labels");

    assertThat((JsonNode) rendered).isEqualTo(Chart.file("files/memorytiers.dynims.io.yaml"));
  }

  @Test
  void staysWhenTheReleaseGoes() {
    JsonNode rendered = new Chart().render().one(KIND, "memorytiers.dynims.io");

    assertThat(rendered.at("/metadata/annotations/helm.sh~1resource-policy").asText())
        .isEqualTo("keep");
  }

  @Test
  void canBeLeftOut() {
    assertThat(new Chart().set("crds.install", false).render().ofKind(KIND)).isEmpty();
  }
}
