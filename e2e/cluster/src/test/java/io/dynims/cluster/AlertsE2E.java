package io.dynims.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The chart's alert rules, checked by Prometheus's own tool. */
class AlertsE2E {

  private static final Path CHARTS = Cluster.PROJECT.resolve("charts");

  @Test
  void areAcceptedByPrometheus() {
    assertThat(promtool("check", CHARTS.resolve("dynims/files/alerts.yaml")))
        .contains("rules found");
  }

  @Test
  void fireAndResolveAsTheirTestsExpect() {
    assertThat(promtool("test", CHARTS.resolve("src/test/alerts/alerts-test.yaml")))
        .contains("SUCCESS");
  }

  private static String promtool(String command, Path rules) {
    String program = Cluster.shared().program("promtool").toString();
    return Ended.run(Map.of(), "", List.of(program, command, "rules", rules.toString()))
        .succeeded();
  }
}
