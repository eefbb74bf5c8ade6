package io.dynims.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.kubectl.Plugin.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Arguments, help and version of the plugin. */
class ArgumentsTest extends PluginTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                          | required: COMMAND",
        "nix                       | invalid choice: 'nix'",
        "explain                   | required: NODE",
        "tiers -o xml              | invalid choice: 'xml'",
        "tiers -w -o json          | -w/--watch: cannot be combined with -o json",
        "tiers -w -o yaml          | -w/--watch: cannot be combined with -o yaml",
        "policies -o table         | invalid choice: 'table'",
        "simulate n                | required: --policy",
        "pause --node a,B          | --node: 'B' is not a Kubernetes name",
        "tiers --service x         | --service: 'x' is not NAMESPACE/NAME",
        "tiers --service ns/X      | --service: 'ns/X' is not NAMESPACE/NAME",
        "tiers --service a/b --server http://a | not allowed with",
        "tiers --server a:8080     | --server: 'a:8080' is not a URL",
        "tiers --server http://a:b | --server: 'http://a:b' is not a URL",
        "tiers --server http://u:p@a | is not a URL",
        "explain n --last x        | --last: 'x' is neither a number nor a time such as 90s",
        "explain n --last=-5       | --last: '-5' is neither a number",
        "pause --server=http://a   | unrecognized arguments",
        "tiers --service a/b --token-file t | --token-file: needs --server",
        "pause a/b                 | NAME: 'a/b' is not a Kubernetes name",
        "pause -n=-A               | -n/--namespace: '-A' is not a Kubernetes name"
      })
  void rejectsWrongArguments(String arguments, String expected) throws Exception {
    Ended ended = arguments == null ? plugin.run() : plugin.run(arguments.split(" "));

    assertThat(ended.err()).startsWith("usage: kubectl dynims").contains(expected);
    assertThat(ended.exitCode()).isEqualTo(2);
  }

  @Test
  void rejectsAWrongUrlInTheEnvironment() throws Exception {
    plugin.environment.put("DYNIMS_SERVER", "localhost");
    Ended ended = plugin.run("tiers");

    assertThat(ended.err()).contains("DYNIMS_SERVER: 'localhost' is not a URL");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(plugin.run("pause", "--help").exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "tiers ",
        "policies ",
        "explain ",
        "simulate ",
        "pause ",
        "resume ",
        "completion ",
        "doctor "
      })
  void helpExitsWithZero(String command) throws Exception {
    Ended ended = plugin.run((command + "--help").split(" "));

    assertThat(ended.out()).startsWith("usage: kubectl dynims " + command);
    assertThat(ended.exitCode()).isZero();
  }

  @Test
  void hasTheProjectsVersion() throws Exception {
    String pom = Files.readString(Path.of("pom.xml"));
    String version = pom.replaceAll("(?s).*?<version>(.*?)</version>.*", "$1");

    assertThat(plugin.run("--version").out()).isEqualTo("kubectl-dynims " + version + "\n");
  }

  @Test
  void runsOnPython39() throws Exception {
    String parse = "import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 9))";
    Process process =
        new ProcessBuilder(Plugin.python(), "-c", parse, "" + Plugin.SCRIPT).inheritIO().start();

    assertThat(process.waitFor()).isZero();
  }
}
