package io.dynims.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.kubectl.Plugin.Ended;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the plugin writes to a terminal. */
class TerminalTest extends PluginTest {

  @Test
  void escapesControlSequences() throws Exception {
    String evil = "\\u001b]0;title\\u0007\\u009b31m\\n\\u202e";
    String document = resource("stale.json").replace("no metrics for", evil + "no metrics for");
    controller.answers.put("/api/v1/tiers", "{\"tiers\":[" + document + "]}");
    controller.answers.put("/api/v1/tiers/n", document);

    for (String command : new String[] {"tiers -o wide", "tiers -o json", "explain n"}) {
      assertThat(plugin.run(command.split(" ")).out())
          .contains("title", "no metrics for")
          .doesNotContainPattern("[^\\P{C}\\n]");
    }
    assertThat(plugin.run("explain", "\033[31m").err()).contains("\\x1b[31m");
  }

  @ParameterizedTest
  @ValueSource(strings = {"tiers", "tiers -o wide", "explain n"})
  void fitsTheTerminal(String command) throws Exception {
    String document =
        resource("unreachable.json").replace("node-1", "ip-10-0-0-1.eu-west-1.compute.example.org");
    controller.answers.put("/api/v1/tiers", "{\"tiers\":[" + document + "]}");
    controller.answers.put("/api/v1/tiers/n", document);
    plugin.environment.put("NO_COLOR", "1");
    int columns = command.endsWith("wide") ? 160 : 80;
    Ended ended = plugin.runOnTerminal(columns, command.split(" "));

    assertThat(ended.out().lines())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(columns));
    assertThat(ended.out()).contains("Unreachable").doesNotContain("\033");
  }

  @Test
  void coloursTheStateOnATerminalOnly() throws Exception {
    controller.answers.put("/api/v1/tiers", resource("tiers.json"));

    assertThat(plugin.runOnTerminal(100, "tiers").out())
        .contains("\033[32mEnforcing  \033[0m", "\033[31mUnreachable\033[0m");
    assertThat(plugin.run("tiers").out()).doesNotContain("\033");
    plugin.environment.put("TERM", "dumb");
    assertThat(plugin.run("tiers").out()).doesNotContain("\033");
  }
}
