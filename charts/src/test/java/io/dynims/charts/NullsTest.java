package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Helm takes null, which templates of values files often have, for a value that is not there. What
 * is on by default is not turned off by that.
 */
class NullsTest {

  /** Of such a map a user may well remove a part, or all. */
  private static final Pattern FREE =
      Pattern.compile(".*([lL]abels|[cC]ontext|Selector|resources|operator/(job|task)Manager)");

  @TempDir Path scratch;

  @ParameterizedTest
  @MethodSource("groupsAndSwitchesThatAreOn")
  void isRefused(String path) throws Exception {
    String[] keys = path.split("/", -1);
    Chart chart = with(keys);

    assertThatThrownBy(chart::render)
        .hasMessageContaining("missing property '" + keys[keys.length - 1] + "'");
  }

  @Test
  void removesAPartOfAMapOfKubernetes() throws Exception {
    JsonNode controller =
        with("podSecurityContext", "runAsUser").render().one("Deployment", "-controller");

    assertThat(Manifests.podSpec(controller).at("/securityContext").has("runAsUser")).isFalse();
  }

  private Chart with(String... keys) throws Exception {
    Path file = Files.createTempFile(scratch, "values", ".yaml");
    String open = Stream.of(keys).map(key -> "{" + key + ": ").reduce("", String::concat);
    Files.writeString(file, open + "null" + "}".repeat(keys.length));
    return new Chart().values(file);
  }

  static List<String> groupsAndSwitchesThatAreOn() {
    List<String> found = new ArrayList<>();
    collect(Chart.file("values.yaml"), "", found);
    assertThat(found).contains("networkPolicy", "networkPolicy/enabled", "tierApi/tls/enabled");
    return found;
  }

  private static void collect(JsonNode node, String path, List<String> found) {
    node.properties()
        .forEach(
            each -> {
              JsonNode value = each.getValue();
              String name = path + each.getKey();
              if (FREE.matcher(name).matches()) {
                return;
              }
              if (value.equals(BooleanNode.TRUE) || (value.isObject() && !value.isEmpty())) {
                found.add(name);
              }
              collect(value, name + "/", found);
            });
  }
}
