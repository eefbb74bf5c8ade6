package io.dynims.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.policy.ClaimedNode;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ClusterViewTest {

  private static final String TIERS = "/apis/dynims.io/v1alpha1/namespaces/dynims/memorytiers";
  private static final String NODES = "/api/v1/nodes";
  private static final String PODS = "/api/v1/namespaces/dynims/pods";
  private static final URI AGENT = URI.create("http://127.66.0.1:7070");
  private static final KubernetesSettings SETTINGS = settings("dynims");

  private static KubernetesSettings settings(String... watchNamespaces) {
    return new KubernetesSettings(
        Optional.empty(), "dynims", List.of(watchNamespaces), "lease", "me", "app=agent", false);
  }

  private final ApiStub api = new ApiStub();
  private final AtomicInteger changes = new AtomicInteger();
  private final AtomicLong nanos = new AtomicLong();
  private ClusterView view;

  ClusterViewTest() throws IOException {}

  @AfterEach
  void close() {
    if (view != null) {
      view.close();
    }
    api.close();
  }

  @Test
  void everythingIsThereOnceItWasListed() {
    api.list(TIERS, tier("alluxio", "Alluxio"));
    api.list(NODES, nodes(500));
    api.list(
        PODS,
        IntStream.range(0, 500).mapToObj(i -> pod("n" + i, "Alluxio")).toArray(String[]::new));

    view = new ClusterView(api.client(), SETTINGS, changes::incrementAndGet, nanos::get);
    await().until(() -> view.missing().isEmpty());

    assertThat(view.claims().get(0).nodes()).hasSize(500).noneMatch(node -> node.adapter() == null);
    assertThat(view.onlyAdapters()).hasSize(500);
    assertThat(changes).hasPositiveValue();
  }

  @Test
  void anAnnotationTakesPrecedenceOverAPod() {
    api.list(TIERS, tier("alluxio", "Alluxio"));
    api.list(NODES, node("n0", "http://127.0.0.1:1"), node("n1", null));
    api.list(PODS, pod("n0", "Alluxio"), pod("n1", "Alluxio"));

    assertThat(claimed())
        .containsExactlyInAnyOrder(
            new ClaimedNode("n0", URI.create("http://127.0.0.1:1")),
            new ClaimedNode("n1", URI.create("http://127.66.0.1:7070")));
    assertThat(view.onlyAdapters()).containsEntry("n0", URI.create("http://127.0.0.1:1"));
  }

  @Test
  void aNodeHasAnAdapterForEachStore() {
    api.list(TIERS, tier("alluxio", "Alluxio"), tier("redis", "Redis"));
    api.list(NODES, node("n0", null), node("n1", null));
    api.list(PODS, pod("n0", "Alluxio"), pod("n0", "Redis", "127.66.0.2"), pod("n1", "Alluxio"));
    view = new ClusterView(api.client(), SETTINGS, changes::incrementAndGet, nanos::get);
    await().until(() -> view.missing().isEmpty());

    assertThat(view.claims().get(1).nodes())
        .containsExactlyInAnyOrder(new ClaimedNode("n0", URI.create("http://127.66.0.2:7070")));
    assertThat(view.claims().get(1).unreached()).containsExactly("n1");
    assertThat(view.claims().get(1).conflicts()).isEmpty();
    assertThat(view.onlyAdapters()).as("n0 has two").containsOnlyKeys("n1");
  }

  @Test
  void anAgentOfAnotherStoreIsIgnored() {
    api.list(TIERS, tier("alluxio", "Alluxio"));
    api.list(NODES, nodes(1));
    api.list(PODS, pod("n0", "Custom"));

    assertThat(claimed()).containsExactly(new ClaimedNode("n0", null));
  }

  @Test
  void aTaintThatKeepsAgentsAwayTakesANodeOutOfTheSelection() {
    api.list(TIERS, tier("alluxio", "Alluxio"));
    api.list(
        NODES,
        node("n0", null),
        tainted("control-plane", "node-role.kubernetes.io/control-plane", "NoSchedule"),
        tainted("expelled", "example.org/broken", "NoExecute"),
        tainted("preferred", "example.org/slow", "PreferNoSchedule"),
        tainted("away", "node.kubernetes.io/unreachable", "NoExecute"),
        tainted("tolerated", "example.org/gpu", "NoSchedule"),
        tainted("starting", "example.org/gpu", "NoSchedule"),
        tainted("waiting", "example.org/gpu", "NoSchedule"));
    api.list(
        PODS,
        pod("n0", "Alluxio"),
        pod("tolerated", "Alluxio"),
        pod("starting", "Alluxio").replace("\"podIP\":\"127.66.0.1\"", "\"podIP\":null"),
        waitingFor("waiting"));

    assertThat(claimed())
        .as("with an agent, or with one that is missing")
        .containsExactlyInAnyOrder(
            new ClaimedNode("n0", AGENT),
            new ClaimedNode("tolerated", AGENT),
            new ClaimedNode("preferred", null),
            new ClaimedNode("away", null),
            new ClaimedNode("starting", null),
            new ClaimedNode("waiting", null));
    assertThat(view.claims().get(0).unreached()).containsExactly("control-plane", "expelled");
    assertThat(view.onlyAdapters()).containsOnlyKeys("n0", "tolerated");
  }

  @Test
  void aTaintedNodeMayNameItsAdapterItself() {
    api.list(TIERS, tier("redis", "Redis"));
    api.list(
        NODES,
        tainted("n0", "example.org/gpu", "NoSchedule")
            .replace(
                "\"annotations\":{}", "\"annotations\":{\"dynims.io/adapter\":\"http://h:1\"}"));

    assertThat(claimed()).containsExactly(new ClaimedNode("n0", URI.create("http://h:1")));
  }

  @Test
  void aNodeIsLeftOutAMinuteAfterItsLastPod() throws IOException {
    redisOnOneOfTwoNodes();

    itsPodIsGoneForAlmostAMinute();

    assertThat(view.claims().get(0).nodes()).containsExactly(new ClaimedNode("n0", AGENT));
    nanos.set(ClusterView.FORGET_NANOS);
    assertThat(view.claims().get(0).nodes()).isEmpty();
    assertThat(view.claims().get(0).unreached()).containsExactlyInAnyOrder("n0", "n1");
    assertThat(view.onlyAdapters()).isEmpty();
    assertThat(view.isWaitingForPods()).isFalse();
  }

  @Test
  void aNodeKeepsItsTierWhileItsPodIsReplaced() throws IOException {
    redisOnOneOfTwoNodes();
    itsPodIsGoneForAlmostAMinute();

    api.change(PODS, "ADDED", pod("n0", "Redis", "127.66.0.2"));

    await().pollInSameThread().until(() -> claims() && !view.isWaitingForPods());
    nanos.set(10 * ClusterView.FORGET_NANOS);
    assertThat(view.claims().get(0).nodes())
        .containsExactly(new ClaimedNode("n0", URI.create("http://127.66.0.2:7070")));
  }

  @Test
  void aNodeKeepsItsTierWhileItsPodTerminatesAsOnALostNode() throws IOException {
    redisOnOneOfTwoNodes();
    int before = changes.get();

    api.change(
        PODS,
        "MODIFIED",
        pod("n0", "Redis")
            .replace(
                "\"metadata\":{", "\"metadata\":{\"deletionTimestamp\":\"2026-11-26T12:00:00Z\","));

    await().until(() -> changes.get() > before);
    assertThat(view.claims().get(0).nodes()).containsExactly(new ClaimedNode("n0", AGENT));
    assertThat(view.isWaitingForPods()).isFalse();
  }

  @Test
  void aPodThatHasEndedIsNoAdapter() {
    api.list(TIERS, tier("redis", "Redis"));
    api.list(NODES, nodes(2));
    api.list(
        PODS,
        pod("n0", "Redis").replace("Running", "Failed"),
        pod("n1", "Redis").replace("Running", "Succeeded"));

    assertThat(claimed()).isEmpty();
  }

  private void redisOnOneOfTwoNodes() {
    api.list(TIERS, tier("redis", "Redis"));
    api.list(NODES, nodes(2));
    api.list(PODS, pod("n0", "Redis"));
    assertThat(claimed()).containsExactly(new ClaimedNode("n0", AGENT));
  }

  private void itsPodIsGoneForAlmostAMinute() throws IOException {
    api.change(PODS, "DELETED", pod("n0", "Redis"));
    await().pollInSameThread().until(() -> claims() && view.isWaitingForPods());
    nanos.set(ClusterView.FORGET_NANOS - 1);
  }

  /** Reads the claims, as the operator does after each change. */
  private boolean claims() {
    return !view.claims().isEmpty();
  }

  @Test
  void memoryTiersOfSeveralNamespacesCount() {
    api.list(TIERS, tier("alluxio", "Alluxio"));
    api.list(TIERS.replace("/dynims/", "/other/"), tier("redis", "Redis"));
    api.list(TIERS.replace("/dynims/", "/unwatched/"), tier("custom", "Custom"));
    api.list(NODES, nodes(1));
    view =
        new ClusterView(
            api.client(), settings("dynims", "other"), changes::incrementAndGet, nanos::get);
    await().until(() -> view.missing().isEmpty());

    assertThat(view.claims())
        .extracting(claim -> claim.document().name())
        .containsExactlyInAnyOrder("alluxio", "redis");
  }

  @Test
  void aNamespaceThatCannotBeListedIsNamed() {
    api.list(NODES, nodes(1));
    api.refuse("GET", 403);
    view =
        new ClusterView(
            api.client(), settings("dynims", "other"), changes::incrementAndGet, nanos::get);

    await()
        .untilAsserted(
            () ->
                assertThat(view.missing())
                    .anyMatch(
                        s -> s.startsWith("MemoryTiers in namespace other cannot be listed")));
  }

  @Test
  void anUnreadableResourceDoesNotAffectOthers() {
    api.list(TIERS, tier("alluxio", "Alluxio"), "{\"metadata\":{\"name\":\"odd\"}}");
    api.list(NODES, nodes(1));

    assertThat(claimed()).containsExactly(new ClaimedNode("n0", null));
    assertThat(view.claims()).hasSize(1);
  }

  @Test
  void aFailedListIsNamedAndRetried() {
    api.refuse("GET", 403);
    view = new ClusterView(api.client(), SETTINGS, changes::incrementAndGet, nanos::get);

    await()
        .untilAsserted(
            () ->
                assertThat(view.missing())
                    .hasSize(3)
                    .anyMatch(
                        s -> s.startsWith("MemoryTiers in namespace dynims cannot be listed: "))
                    .anyMatch(s -> s.startsWith("Nodes cannot be listed: "))
                    .anyMatch(s -> s.startsWith("Pods cannot be listed: "))
                    .allMatch(s -> s.contains("403")));
    assertThat(changes).hasValue(0);

    api.refuse("GET", 0);
    await().until(() -> view.missing().isEmpty());
  }

  private List<ClaimedNode> claimed() {
    view = new ClusterView(api.client(), SETTINGS, changes::incrementAndGet, nanos::get);
    await().until(() -> view.missing().isEmpty());
    return view.claims().get(0).nodes();
  }

  private static String tier(String name, String store) {
    return """
        {"apiVersion":"dynims.io/v1alpha1","kind":"MemoryTier","metadata":{"name":"%s",
         "namespace":"dynims","uid":"%s","generation":1,"resourceVersion":"1",
         "creationTimestamp":"2026-11-21T12:00:00Z"},
         "spec":{"store":{"type":"%s"},"nodes":{"selector":{}},"capacity":{"max":"1Gi"}}}
        """
        .formatted(name, name, store);
  }

  private static String[] nodes(int count) {
    return IntStream.range(0, count).mapToObj(i -> node("n" + i, null)).toArray(String[]::new);
  }

  private static String node(String name, String adapter) {
    String annotations = adapter == null ? "{}" : "{\"dynims.io/adapter\":\"" + adapter + "\"}";
    return """
        {"metadata":{"name":"%s","resourceVersion":"1","annotations":%s}}
        """
        .formatted(name, annotations);
  }

  private static String tainted(String name, String key, String effect) {
    return """
        {"metadata":{"name":"%s","resourceVersion":"1","annotations":{}},
         "spec":{"taints":[{"key":"%s","effect":"%s"}]}}
        """
        .formatted(name, key, effect);
  }

  /** As a DaemonSet makes it: the scheduler has no room for it yet. */
  private static String waitingFor(String node) {
    String affinity =
        """
        "affinity":{"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":
         {"nodeSelectorTerms":[{"matchFields":[
         {"key":"metadata.name","operator":"In","values":["%s"]}]}]}}}
        """
            .formatted(node);
    return pod(node, "Alluxio")
        .replace("\"nodeName\":\"" + node + "\"", affinity)
        .replace("\"phase\":\"Running\",\"podIP\":\"127.66.0.1\"", "\"phase\":\"Pending\"");
  }

  private static String pod(String node, String store) {
    return pod(node, store, "127.66.0.1");
  }

  private static String pod(String node, String store, String address) {
    return """
        {"kind":"Pod","apiVersion":"v1","metadata":{"name":"agent-%s-%s","namespace":"dynims","resourceVersion":"1",
         "labels":{"dynims.io/store":"%s"}},
         "spec":{"nodeName":"%s","containers":[{"name":"a",
         "ports":[{"name":"tier-api","containerPort":7070}]}]},
         "status":{"phase":"Running","podIP":"%s"}}
        """
        .formatted(node, store.toLowerCase(Locale.ROOT), store, node, address);
  }
}
