package io.dynims.controller.api;

import static io.dynims.controller.TestFleet.document;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.controller.fleet.FleetSummary;
import io.dynims.controller.fleet.FleetTrends;
import io.dynims.controller.fleet.MemoryTime;
import io.dynims.controller.fleet.PolicyWarning;
import io.dynims.controller.fleet.TierTrend;
import io.dynims.core.law.Forecast;
import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.LawType;
import io.dynims.core.law.Limit;
import io.dynims.core.law.MemorySize;
import io.dynims.core.wire.GuardPolicy;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierState;
import io.dynims.core.wire.TierView;
import io.dynims.policy.PolicyError;
import io.dynims.runtime.config.Config;
import io.dynims.tier.HintRequest;
import io.dynims.tier.Problem;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

class OpenApiTest {

  private static final Map<String, Class<? extends Enum<?>>> ENUMS =
      Map.of(
          "Limit", Limit.class, "Mode", Mode.class, "State", TierState.class, "Law", LawType.class);

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
        Map.<String, Class<? extends Record>>ofEntries(
                Map.entry("Tier", TierView.class),
                Map.entry("Decision", Target.class),
                Map.entry("Forecast", Forecast.class),
                Map.entry("Policy", Policy.class),
                Map.entry("GuardPolicy", GuardPolicy.class),
                Map.entry("ForecastParameters", ForecastParameters.class),
                Map.entry("MemorySize", MemorySize.class),
                Map.entry("PolicyError", PolicyError.class),
                Map.entry("PolicyWarning", PolicyWarning.class),
                Map.entry("Summary", FleetSummary.class),
                Map.entry("MemoryTime", MemoryTime.class),
                Map.entry("Trends", FleetTrends.class),
                Map.entry("TierTrend", TierTrend.class),
                Map.entry("PageLinks", PageLinks.class),
                Map.entry("HintRequest", HintRequest.class),
                Map.entry("TierSimulation", TierSimulation.class),
                Map.entry("SimulationFigures", TierSimulation.Figures.class),
                Map.entry("SimulationPoint", TierSimulation.Point.class),
                Map.entry("Problem", Problem.class))
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

  @Test
  void theOpenApiDocumentListsEveryValue() {
    Map<?, ?> document =
        (Map<?, ?>)
            new Load(LoadSettings.builder().build())
                .loadFromString(Config.resource(RestApi.class, "openapi.yaml"));
    Map<?, ?> schemas = (Map<?, ?>) ((Map<?, ?>) document.get("components")).get("schemas");

    ENUMS.forEach(
        (name, type) ->
            assertThat(((List<?>) ((Map<?, ?>) schemas.get(name)).get("enum")).stream())
                .as(name)
                .map(Object::toString)
                .containsExactlyInAnyOrderElementsOf(
                    Arrays.stream(type.getEnumConstants()).map(Object::toString).toList()));
  }
}
