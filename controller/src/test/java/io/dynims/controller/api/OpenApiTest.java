package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.config.Config;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierView;
import io.dynims.policy.PolicyError;
import io.dynims.tier.Problem;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class OpenApiTest {

  private final ApiFixture api = new ApiFixture();

  @AfterEach
  void close() {
    api.close();
  }

  @Test
  void theOpenApiDocumentListsExactlyTheServedPaths() throws Exception {
    String yaml = Config.resource(RestApi.class, "openapi.yaml");
    Map<?, ?> document = (Map<?, ?>) new Load(LoadSettings.builder().build()).loadFromString(yaml);
    Set<String> documented =
        ((Map<?, ?>) document.get("paths"))
            .keySet().stream().map(Object::toString).collect(Collectors.toSet());

    assertThat(api.api().paths().stream().map(path -> path.replaceAll(":(\\w+)", "{$1}")))
        .containsExactlyInAnyOrderElementsOf(documented);
    assertThat(api.send("GET", "/openapi.yaml").body()).isEqualTo(yaml);
  }

  @Test
  void theOpenApiDocumentListsEveryField() {
    Map<?, ?> document =
        (Map<?, ?>)
            new Load(LoadSettings.builder().build())
                .loadFromString(Config.resource(RestApi.class, "openapi.yaml"));
    Map<?, ?> schemas = (Map<?, ?>) ((Map<?, ?>) document.get("components")).get("schemas");

    for (Map.Entry<String, Class<? extends Record>> each :
        Map.of(
                "Tier", TierView.class,
                "Decision", Target.class,
                "Policy", Policy.class,
                "PolicyError", PolicyError.class,
                "Problem", Problem.class)
            .entrySet()) {
      Map<?, ?> properties = (Map<?, ?>) ((Map<?, ?>) schemas.get(each.getKey())).get("properties");
      assertThat(properties.keySet().stream().map(Object::toString))
          .as(each.getKey())
          .containsExactlyInAnyOrderElementsOf(
              Arrays.stream(each.getValue().getRecordComponents())
                  .map(RecordComponent::getName)
                  .toList());
    }
  }
}
