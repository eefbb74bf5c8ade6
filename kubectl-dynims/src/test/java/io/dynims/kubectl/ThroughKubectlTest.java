package io.dynims.kubectl;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.kubectl.Plugin.Ended;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plugin with a fake kubectl that answers with the words of the real one. */
class ThroughKubectlTest {

  private static final String FIND =
      "get services"
          + " --selector=app.kubernetes.io/name=dynims,app.kubernetes.io/component=controller ";
  private static final String PROXY =
      "get --raw /api/v1/namespaces/d/services/http:c:http/proxy/api/v1/tiers";
  private static final String SERVICE =
      "{\"metadata\":{\"namespace\":\"d\",\"name\":\"%s\"},\"spec\":{\"ports\":[{\"name\":\"%s\"}]}}";
  private static final String FOUND =
      "\"get services\"*) echo '{\"items\":["
          + SERVICE.formatted("headless", "raft")
          + ","
          + SERVICE.formatted("c", "http")
          + "]}' ;;\n";
  private static final String TIER =
      "{\"node\":\"n\",\"tier\":\"t\",\"mode\":\"Off\",\"state\":\"Off\",\"threshold\":0.9}";
  private static final String MEMORY_TIER =
      "{\"metadata\":{\"namespace\":\"d\",\"name\":\"%s\",\"annotations\":{%s}}}";

  @TempDir private Path folder;
  private Plugin plugin;

  @BeforeEach
  void start() throws IOException {
    plugin = new Plugin(folder);
  }

  @Test
  void findsTheControllerAndQueriesItThroughTheApiServer() throws Exception {
    plugin.kubectl(FOUND + "*--raw*/api/v1/tiers) echo '{\"tiers\":[" + TIER + "]}' ;;");
    Ended ended = plugin.run("tiers");

    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).contains("n     t     Off");
    // Nothing that kubectl would add to the URL, such as a timeout: the controller would refuse it.
    assertThat(plugin.calls()).containsExactly(FIND + "--all-namespaces --output=json", PROXY);
  }

  @Test
  void passesClusterFlagsToKubectlEvenIfTheEnvironmentNamesAServer() throws Exception {
    plugin.environment.put("DYNIMS_SERVER", "http://127.0.0.1:1");
    plugin.kubectl(FOUND + "*--raw*/api/v1/tiers/n*) echo '" + TIER + "' ;;");
    String flags = " --context=x --kubeconfig=f";
    plugin.run(("explain n --tier=t -n d" + flags).split(" "));

    assertThat(plugin.calls())
        .containsExactly(FIND + "--namespace=d --output=json" + flags, PROXY + "/n?tier=t" + flags);
  }

  @Test
  void doesNotSearchForANamedService() throws Exception {
    plugin.kubectl("*--raw*) echo '" + TIER + "' ;;");
    plugin.run("explain", "n", "--service", "d/c");

    assertThat(plugin.calls()).containsExactly(PROXY + "/n");
  }

  @Test
  void listsTheNodesAlthoughKubectlDoesNot() throws Exception {
    plugin.kubectl(
        FOUND
            + "*--raw*/api/v1/tiers) echo '{\"tiers\":["
            + TIER
            + "]}' ;;\n*) no 'Error from server (NotFound): the server could not find the requested"
            + " resource' ;;");

    assertThat(plugin.run("explain", "x").err())
        .isEqualTo("kubectl dynims: node 'x' has no tier; nodes with a tier: n\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "(NotFound): services \"c\" not found | service d/c does not exist; kubectl get services -A",
        "(NotFound): the server could not find the requested resource | is it the DynIMS controller?",
        "(Forbidden): services \"http:c:http\" is forbidden | the required right is: get on services/proxy",
        "(ServiceUnavailable): no endpoints available for service \"c\" "
            + "| service d/c is not ready: no endpoints available for service \"c\"; see kubectl -n d get pods"
      })
  void saysWhatToDoIfTheControllerCannotBeReached(String error, String expected) throws Exception {
    plugin.kubectl(FOUND + "*) no 'E1121 cached\nError from server " + error + "' ;;");
    Ended ended = plugin.run("tiers");

    assertThat(ended.err()).startsWith("kubectl dynims: ").contains(expected).hasLineCount(1);
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  @Test
  void saysWhatToDoWithoutAControllerWithSeveralOrWithoutRights() throws Exception {
    plugin.kubectl("*) echo '{\"items\":[]}' ;;");
    assertThat(plugin.run("tiers").err())
        .contains("no service of a controller in any namespace", "--service", "--server");

    plugin.kubectl(FOUND.replace("raft", "http"));
    assertThat(plugin.run("tiers").err())
        .contains("several controllers: d/headless, d/c; select one with --service");

    plugin.kubectl("*) no 'Error from server (Forbidden): services is forbidden' ;;");
    assertThat(plugin.run("tiers").err())
        .contains("services is forbidden; name the service with --service NAMESPACE/NAME");
  }

  @Test
  void reportsAMissingKubectlAndErrorsOfKubectl() throws Exception {
    assertThat(plugin.run("tiers").err())
        .isEqualTo(
            "kubectl dynims: kubectl is not on PATH: install it, or name the controller with"
                + " --server URL\n");

    plugin.kubectl("*) no 'error: context \"x\" does not exist' ;;");
    assertThat(plugin.run("tiers", "--context=x").err())
        .isEqualTo("kubectl dynims: error: context \"x\" does not exist\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pause  |                               | paused            | dynims.io/paused=true --overwrite",
        "pause  | \"dynims.io/paused\":\"false\" | paused           | dynims.io/paused=true --overwrite",
        "pause  | \"dynims.io/paused\":\"true\" | is paused already |",
        "resume | \"dynims.io/paused\":\"true\" | resumed           | dynims.io/paused-",
        "resume |                               | is not paused     |"
      })
  void pausesAndResumesOnce(String command, String before, String result, String change)
      throws Exception {
    String document = MEMORY_TIER.formatted("a", before == null ? "" : before);
    plugin.kubectl("\"get memory\"*) echo '" + document + "' ;;\nannotate*) ;;");
    Ended ended = plugin.run(command, "a", "--namespace=d");

    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).isEqualTo("memorytier.dynims.io/a in namespace d " + result + "\n");
    assertThat(plugin.calls().stream().filter(call -> call.startsWith("annotate")))
        .containsExactlyElementsOf(
            change == null
                ? java.util.List.of()
                : java.util.List.of(
                    "annotate memorytiers.dynims.io a " + change + " --namespace=d"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pause --node n1      |         | node n1 of * paused            | dynims.io/paused-nodes=n1 --overwrite",
        "pause --node n3,n1   | n2      | nodes n3, n1 of * paused       | dynims.io/paused-nodes=n1,n2,n3 --overwrite",
        "pause --node n1      | n2, n1  | node n1 of *: paused already   |",
        "resume --node n1     | n1,n2   | node n1 of * resumed           | dynims.io/paused-nodes=n2 --overwrite",
        "resume --node n2     | n2      | node n2 of * resumed           | dynims.io/paused-nodes-",
        "resume --node n1     | n2      | node n1 of *: not paused by themselves |"
      })
  void pausesAndResumesSingleNodes(String command, String before, String result, String change)
      throws Exception {
    String document =
        MEMORY_TIER
            .formatted("a", before == null ? "" : "\"dynims.io/paused-nodes\":\"" + before + "\"")
            .replace("\"name\"", "\"resourceVersion\":\"7\",\"name\"");
    plugin.kubectl(
        "\"get memory\"*) echo '" + document + "' ;;\n\"get node \"*) ;;\nannotate*) ;;");
    Ended ended = plugin.run((command + " a -n d").split(" +"));

    assertThat(ended.err()).isEmpty();
    assertThat(ended.out())
        .isEqualTo(result.replace("*", "memorytier.dynims.io/a in namespace d") + "\n");
    assertThat(plugin.calls().stream().filter(call -> call.startsWith("annotate")))
        .containsExactlyElementsOf(
            change == null
                ? java.util.List.of()
                : java.util.List.of(
                    "annotate memorytiers.dynims.io a "
                        + change
                        + " --resource-version=7 --namespace=d"));
  }

  @Test
  void refusesToPauseANodeThatIsNotThere() throws Exception {
    plugin.kubectl(
        "\"get memory\"*) echo '"
            + MEMORY_TIER.formatted("a", "")
            + "' ;;\n*) no 'Error from server (NotFound): nodes \"n9\" not found' ;;");
    Ended ended = plugin.run("pause", "a", "--node", "n9");

    assertThat(ended.err()).contains("there is no node 'n9'");
    assertThat(ended.exitCode()).isEqualTo(1);
  }

  @Test
  void saysWhatStaysPaused() throws Exception {
    String both = "\"dynims.io/paused\":\"true\",\"dynims.io/paused-nodes\":\"n1\"";
    plugin.kubectl(
        "\"get memory\"*) echo '" + MEMORY_TIER.formatted("a", both) + "' ;;\nannotate*) ;;");

    assertThat(plugin.run("resume", "a", "--node", "n1").err())
        .contains("the whole MemoryTier is paused; kubectl dynims resume a");
    assertThat(plugin.run("resume", "a").err()).contains("still paused are nodes: n1");
  }

  @Test
  void pausesTheOnlyMemoryTierIfNoneIsNamed() throws Exception {
    String only = MEMORY_TIER.formatted("a", "");
    plugin.kubectl("\"get memory\"*) echo '{\"items\":[" + only + "]}' ;;\nannotate*) ;;");

    assertThat(plugin.run("pause").out()).contains("/a in namespace d paused");
    assertThat(plugin.calls())
        .containsExactly(
            "get memorytiers.dynims.io --output=json",
            "annotate memorytiers.dynims.io a dynims.io/paused=true --overwrite --namespace=d");
  }

  @Test
  void listsTheMemoryTiersIfTheNameIsMissingOrUnknown() throws Exception {
    String items = MEMORY_TIER.formatted("a", "") + "," + MEMORY_TIER.formatted("b", "");
    plugin.kubectl(
        "*.io\\ c*) no 'Error from server (NotFound): memorytiers.dynims.io \"c\" not found' ;;\n"
            + "*) echo '{\"items\":["
            + items
            + "]}' ;;");

    assertThat(plugin.run("pause").err())
        .contains("several MemoryTiers in the current namespace; name one of: a, b");
    assertThat(plugin.run("pause", "c", "-n", "d").err())
        .contains("no MemoryTier 'c' in namespace d; name one of: a, b");

    plugin.kubectl("*) echo '{\"items\":[]}' ;;");
    assertThat(plugin.run("resume").err())
        .contains("no MemoryTier in the current namespace; kubectl get memorytiers -A");
  }

  @Test
  void saysWhatIsMissingToPause() throws Exception {
    String one = MEMORY_TIER.formatted("a", "");
    plugin.kubectl(
        "get*) echo '" + one + "' ;;\n*) no 'Error from server (Forbidden): it is forbidden' ;;");
    assertThat(plugin.run("pause", "a").err())
        .contains("it is forbidden; the required right is: patch on memorytiers");

    plugin.kubectl("*) no \"error: the server doesn't have a resource type\" ;;");
    assertThat(plugin.run("pause").err())
        .contains("this cluster has no MemoryTier resources; is DynIMS installed?");
  }
}
