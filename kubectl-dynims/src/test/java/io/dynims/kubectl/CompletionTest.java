package io.dynims.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.kubectl.Plugin.Ended;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What kubectl asks the plugin while a command line is typed: words, then a directive. */
class CompletionTest extends PluginTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ti                        | tiers :4",
        "p                         | policies pause :4",
        "tiers --o                 | --output :4",
        "tiers -o                  | -o :4",
        "tiers --output,           | wide json yaml :4",
        "explain,                  | node-1 node-2 :4",
        "explain node-             | node-1 node-2 :4",
        "explain node-1 --tier,    | alluxio other second :4",
        "explain node-1,           | :4",
        "simulate node-1 --policy, | :0",
        "tiers --token-file,       | :0",
        "nothing,                  | :4"
      })
  void completes(String typed, String expected) throws Exception {
    controller.answers.put("/api/v1/tiers", resource("tiers.json"));

    // A comma ends a word, so that the next one is empty.
    List<String> arguments = new ArrayList<>(List.of("__complete"));
    arguments.addAll(List.of(typed.replace(",", " ").split(" ")));
    if (typed.endsWith(",")) {
      arguments.add("");
    }
    Ended ended = plugin.run(arguments.toArray(String[]::new));

    assertThat(ended.err()).isEmpty();
    assertThat(ended.out().strip().split("\n")).containsExactly(expected.split(" "));
    assertThat(ended.exitCode()).isZero();
  }

  @Test
  void completesMemoryTiersAndNodesOfTheCluster() throws Exception {
    String items = "{\"items\":[{\"metadata\":{\"name\":\"%s\"}}]}";
    plugin.kubectl(
        "\"get memory\"*) echo '"
            + items.formatted("alluxio")
            + "' ;;\n\"get nodes\"*) echo '"
            + items.formatted("n1")
            + "' ;;");

    assertThat(plugin.run("__complete", "pause", "-n", "d", "").out()).isEqualTo("alluxio\n:4\n");
    assertThat(plugin.calls())
        .containsExactly("get memorytiers.dynims.io --namespace=d --output=json");
    assertThat(plugin.run("__complete", "pause", "alluxio", "--node", "n").out())
        .isEqualTo("n1\n:4\n");
  }

  @Test
  void aControllerThatDoesNotAnswerCompletesNothing() throws Exception {
    controller.close();
    Ended ended = plugin.run("__complete", "explain", "");

    assertThat(ended.out()).isEqualTo(":4\n");
    assertThat(ended.err()).isEmpty();
  }

  @Test
  void printsTheProgramThatKubectlCalls() throws Exception {
    assertThat(plugin.run("completion").out())
        .startsWith("#!/bin/sh\n")
        .endsWith("exec kubectl dynims __complete \"$@\"\n");
  }
}
