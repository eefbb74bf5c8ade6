package io.dynims.adapter.runtime;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ConfigException;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LimitedSettingsTest {

  private static final String OWN =
      """
      tier.name = ${DYNIMS_TIER_NAME:sample}
      tier.min = ${DYNIMS_ADAPTER_TIER_MIN:2Mi}
      tier.max = ${DYNIMS_ADAPTER_TIER_MAX:64Mi}
      resize.budget = ${DYNIMS_ADAPTER_RESIZE_BUDGET:300ms}
      """;

  @Test
  void refusesAMinimumThatTheStoreDoesNotTake() {
    Config config =
        Config.read(
            AdapterSettings.documented(OWN),
            new String[] {"--http.token.file=none", "--node.name=n"},
            Map.of());
    var unused = LimitedSettings.read(config, AdapterSettings.read(config), 8L << 20);

    assertThatThrownBy(config::check)
        .isInstanceOf(ConfigException.class)
        .hasMessageEndingWith("tier.min: is below 8388608 bytes, the least that the store takes");
  }
}
