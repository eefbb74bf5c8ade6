package io.dynims.kubectl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import io.dynims.kubectl.Plugin.Ended;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The plugin at a controller's URL. The documents are what a controller answered in that state. */
class KubectlDynimsTest {

  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;
  private ControllerStub controller;
  private Plugin plugin;

  @BeforeAll
  static void needsPython() {
    if (System.getenv("CI") == null) {
      assumeThat(Plugin.python()).as("python3 is missing: apt-get install python3").isPresent();
    }
  }

  @BeforeEach
  void serve() throws IOException {
    controller = new ControllerStub();
    plugin = new Plugin(folder);
    plugin.environment.put("DYNIMS_SERVER", controller.url());
  }

  @AfterEach
  void close() {
    controller.close();
  }

  @ParameterizedTest
  @CsvSource({"tiers, tiers", "tiers --output=wide, tiers-wide"})
  void showsWhatEveryTierIsDoing(String command, String golden) throws Exception {
    controller.answers.put("/api/v1/tiers", resource("tiers.json"));
    Ended ended = plugin.run(command.split(" "));

    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).isEqualTo(resource(golden + ".txt"));
    assertThat(ended.exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "shrink",
        "partial",
        "stale",
        "unreachable",
        "pending",
        "recommending",
        "off",
        "earlier-job"
      })
  void explainsTheLastDecision(String state) throws Exception {
    controller.answers.put("/api/v1/tiers/n", resource(state + ".json"));
    Ended ended = plugin.run("explain", "n");

    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).isEqualTo(resource(state + ".txt"));
    assertThat(ended.exitCode()).isZero();
  }

  @Test
  void tellsThatThePolicyHasChangedSince() throws Exception {
    String before = resource("shrink.json");
    String document = before.replaceFirst("\"threshold\": 0.95", "\"threshold\": 0.9");
    controller.answers.put("/api/v1/tiers/n", document);

    assertThat(plugin.run("explain", "n").out()).contains("0.9500      policy, now 0.9000");
  }

  @Test
  void asJsonItGivesAllThatTheControllerGave() throws Exception {
    controller.answers.put("/api/v1/tiers", resource("tiers.json"));
    controller.answers.put("/api/v1/tiers/n?tier=a%20b", resource("stale.json"));

    assertThat(JSON.readTree(plugin.run("tiers", "-o", "json").out()))
        .isEqualTo(JSON.readTree(resource("tiers.json")));
    assertThat(JSON.readTree(plugin.run("explain", "n", "--tier", "a b", "-o", "json").out()))
        .isEqualTo(JSON.readTree(resource("stale.json")));
  }

  @Test
  void listsTheDecisionsOfATimeEachWithItsInputsAndReason() throws Exception {
    String document = decisions("shrink.json", "stale.json", "earlier-job.json");
    controller.answers.put("/api/v1/tiers/n/history?tier=a%20b&last=5m", document);
    plugin.environment.put("TZ", "UTC");
    Ended ended = plugin.run("explain", "n", "--tier", "a b", "--last", "5m");

    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).isEqualTo(resource("history.txt"));
    Ended json = plugin.run("explain", "n", "--tier", "a b", "--last", "5m", "-o", "json");
    assertThat(JSON.readTree(json.out())).isEqualTo(JSON.readTree(document));
  }

  @Test
  void tellsWhyThereAreNoDecisions() throws Exception {
    controller.answers.put("/api/v1/tiers/node-2/history?last=3", "{\"decisions\":[]}");
    controller.answers.put("/api/v1/tiers", resource("tiers.json"));

    Ended none = plugin.run("explain", "node-2", "--last", "3");
    assertThat(none.err()).isEqualTo("no decisions in this time\n");
    assertThat(none.exitCode()).isZero();
    assertThat(plugin.run("explain", "node-2", "--last", "9h").err())
        .endsWith(": no /api/v1/tiers/node-2/history?last=9h\n");
    assertThat(plugin.run("explain", "node-1", "--last", "3").err()).contains("choose one with");
  }

  private static String decisions(String... resources) throws IOException {
    ArrayNode decisions = JSON.createArrayNode();
    for (String each : resources) {
      decisions.add(JSON.readTree(resource(each)).get("lastDecision"));
    }
    return JSON.createObjectNode().set("decisions", decisions).toString();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "node-1               | node 'node-1' has several tiers: alluxio, second; choose one with --tier",
        "node-1 --tier=nix    | node 'node-1' has no tier 'nix', only alluxio, second",
        "node-1.example.org   | node 'node-1.example.org' has no tier; did you mean node-1?",
        "od                   | node 'od' has no tier; did you mean node-1 or node-2?",
        "../../policies       | node '../../policies' has no tier; nodes that have one: node-1, node-2"
      })
  void tellsWhichTiersThereAre(String arguments, String expected) throws Exception {
    controller.answers.put("/api/v1/tiers", resource("tiers.json"));
    Ended ended = plugin.run(("explain " + arguments).split(" "));

    assertThat(ended.err()).isEqualTo("kubectl dynims: " + expected + "\n");
    assertThat(ended.out()).isEmpty();
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{\"tiers\":[]} | no tiers: no MemoryTier names a node",
        "[]             | is no JSON object; is it the DynIMS controller?",
        "<html>         | is no JSON object; is it the DynIMS controller?",
        "{}             | has no list of tiers; is it the DynIMS controller?"
      })
  void tellsWhyItShowsNothing(String answer, String expected) throws Exception {
    controller.answers.put("/api/v1/tiers", answer);
    controller.answers.put("/readyz", "{\"status\":\"ready\"}");
    Ended ended = plugin.run("tiers");

    assertThat(ended.err()).contains(expected);
    assertThat(ended.out()).isEmpty();
  }

  @Test
  void tellsWhatAControllerThatIsNotReadyLacks() throws Exception {
    controller.answers.put("/api/v1/tiers", "{\"tiers\":[]}");

    assertThat(plugin.run("tiers").err()).contains("no tiers: ", "no /readyz");
  }

  @Test
  void tellsThatNothingAnswers() throws Exception {
    controller.close();
    Ended ended = plugin.run("tiers");

    assertThat(ended.err())
        .isEqualTo(
            "kubectl dynims: %s does not answer: Connection refused; does the controller run there?\n"
                .formatted(controller.url()));
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  @Test
  void showsWithoutObeyingWhatIsMeantForTheTerminal() throws Exception {
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
    int columns = command.endsWith("wide") ? 140 : 80;
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

  @Test
  void watchesAControllerThatGoesAwayAndComesBack() throws Exception {
    controller.answers.put("/api/v1/tiers", resource("tiers.json"));
    Process process = plugin.start("tiers", "--watch");
    try {
      within().until(() -> plugin.out().contains("node-2"));
      controller.answers.put("/api/v1/tiers", "<html>");
      within().until(() -> Files.readString(folder.resolve("err")).contains("no JSON object"));
      controller.answers.put("/api/v1/tiers", resource("tiers.json").replace("node-2", "node-9"));
      within().until(() -> plugin.out().contains("node-9"));
    } finally {
      process.destroy();
    }
    assertThat(process.waitFor()).isNotZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "                          | required: COMMAND",
        "nix                       | invalid choice: 'nix'",
        "explain                   | required: NODE",
        "tiers -o yaml             | invalid choice: 'yaml'",
        "tiers -w -o json          | -w/--watch: does not go with -o json",
        "tiers --service x         | --service: 'x' is not NAMESPACE/NAME",
        "tiers --service ns/X      | --service: 'ns/X' is not NAMESPACE/NAME",
        "tiers --service a/b --server http://a | not allowed with",
        "tiers --server a:8080     | --server: 'a:8080' is no URL",
        "tiers --server http://a:b | --server: 'http://a:b' is no URL",
        "tiers --server http://u:p@a | is no URL",
        "explain n --last x        | --last: 'x' is neither a number nor a time such as 90s",
        "explain n --last=-5       | --last: '-5' is neither a number",
        "pause --server=http://a   | unrecognized arguments",
        "pause a/b                 | NAME: 'a/b' is no name of Kubernetes",
        "pause -n=-A               | -n/--namespace: '-A' is no name of Kubernetes"
      })
  void refusesWrongArguments(String arguments, String expected) throws Exception {
    Ended ended = arguments == null ? plugin.run() : plugin.run(arguments.split(" "));

    assertThat(ended.err()).startsWith("usage: kubectl dynims").contains(expected);
    assertThat(ended.exitCode()).isEqualTo(2);
  }

  @Test
  void refusesAWrongUrlOfTheEnvironment() throws Exception {
    plugin.environment.put("DYNIMS_SERVER", "localhost");
    Ended ended = plugin.run("tiers");

    assertThat(ended.err()).contains("DYNIMS_SERVER: 'localhost' is no URL");
    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(plugin.run("pause", "--help").exitCode()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "tiers ", "explain ", "pause ", "resume "})
  void helpIsNoError(String command) throws Exception {
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
  void needsNoPythonAfter39() throws Exception {
    String parse = "import ast, sys; ast.parse(open(sys.argv[1]).read(), feature_version=(3, 9))";
    Process process =
        new ProcessBuilder(Plugin.python().orElseThrow() + "", "-c", parse, "" + Plugin.SCRIPT)
            .inheritIO()
            .start();

    assertThat(process.waitFor()).isZero();
  }

  /** Long enough for a machine that is busy with other things. */
  private static ConditionFactory within() {
    return await().atMost(Duration.ofMinutes(1));
  }

  private static String resource(String name) throws IOException {
    try (InputStream in = KubectlDynimsTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
