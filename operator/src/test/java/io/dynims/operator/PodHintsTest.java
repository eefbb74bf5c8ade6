package io.dynims.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.core.wire.Hint;
import io.dynims.core.wire.TierView;
import io.dynims.policy.PolicySet;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PodHintsTest {

  private static final String PODS = "/api/v1/pods";
  private static final Instant NOW = Instant.parse("2026-11-21T12:05:00Z");
  private static final long GIBIBYTE = 1L << 30;

  private final ApiStub api = new ApiStub();
  private final Calls calls = new Calls();
  private PodHints hints;

  PodHintsTest() throws IOException {}

  @BeforeEach
  void watch() {
    api.list(
        PODS,
        pod("sort", "n1", "20Gi", "2026-11-21T12:04:00Z"),
        pod("long", "n2", "1Gi", "2026-11-21T11:54:00Z"));
    hints = new PodHints(api.client(), Clock.fixed(NOW, ZoneOffset.UTC), calls);
  }

  @AfterEach
  void close() {
    if (hints != null) {
      hints.close();
    }
    api.close();
  }

  @Test
  void theLeaderGivesWhatPodsAnnouncedWithinTheLastTenMinutes() {
    hints.changeRole(Role.Leader);

    long startMillis = Instant.parse("2026-11-21T12:04:00Z").toEpochMilli();
    Hint sort = new Hint("uid-sort", 20 * GIBIBYTE, startMillis, startMillis + 600_000);
    await().untilAsserted(() -> assertThat(calls.given).containsExactly(sort));
    assertThat(calls.nodes).containsExactly("n1");
    assertThat(api.requests()).contains("GET " + PODS);
  }

  @Test
  void aStandbyGivesNothingUntilItLeads() {
    hints.changeRole(Role.Standby);
    await().until(() -> api.requests().size() > 1);
    assertThat(calls.given).isEmpty();

    hints.changeRole(Role.UnconfirmedLeader);

    await().until(() -> calls.given.size() == 1);
  }

  @Test
  void whatFailedIsGivenAgain() {
    calls.failures.set(1);

    hints.changeRole(Role.Leader);

    await().until(() -> calls.given.size() == 2);
    assertThat(calls.given.get(0)).isEqualTo(calls.given.get(1));
  }

  @Test
  void aNewLeaderGivesTheSameOnceMore() {
    hints.changeRole(Role.Leader);
    await().until(() -> calls.given.size() == 1);
    hints.changeRole(Role.Standby);
    hints.changeRole(Role.Leader);

    await().until(() -> calls.given.size() == 2);
    assertThat(calls.given.get(0)).isEqualTo(calls.given.get(1));
    assertThat(calls.withdrawn).isEmpty();
  }

  private static String pod(String name, String node, String size, String scheduled) {
    return """
        {"metadata":{"name":"%s","namespace":"jobs","uid":"uid-%s","resourceVersion":"1",
          "creationTimestamp":"%s","labels":{"dynims.io/hint":"%s"}},
         "spec":{"nodeName":"%s"},"status":{"phase":"Pending","conditions":[]}}"""
        .formatted(name, name, scheduled, size, node);
  }

  /** A fleet that records hints. */
  private static final class Calls implements FleetLink {

    private final List<Hint> given = new CopyOnWriteArrayList<>();
    private final List<String> nodes = new CopyOnWriteArrayList<>();
    private final List<String> withdrawn = new CopyOnWriteArrayList<>();
    private final AtomicInteger failures = new AtomicInteger();

    @Override
    public void applyPolicies(PolicySet set) {
      throw new AssertionError("not called");
    }

    @Override
    public void changeRole(Role role) {
      throw new AssertionError("not called");
    }

    @Override
    public CompletionStage<?> giveHint(String node, Hint hint) {
      given.add(hint);
      nodes.add(node);
      return failures.getAndDecrement() > 0
          ? CompletableFuture.failedFuture(new IOException("no answer"))
          : CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<?> withdrawHint(String node, String owner) {
      withdrawn.add(owner);
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public CompletionStage<List<TierView>> tiers() {
      return CompletableFuture.completedFuture(List.of());
    }
  }
}
