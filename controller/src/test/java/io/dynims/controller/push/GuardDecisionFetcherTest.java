package io.dynims.controller.push;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.policies;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.controller.OnEventLoop;
import io.dynims.controller.StubAdapter;
import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.HistoryBound;
import io.dynims.controller.fleet.Tier;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.Target;
import io.dynims.tier.TierStatus;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GuardDecisionFetcherTest {

  private static final long START_MILLIS = 1_800_000_000_000L;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private final Vertx vertx = Vertx.vertx();
  private final Context loop = vertx.getOrCreateContext();
  private final Fleet fleet = new Fleet(new HistoryBound(1_000, 10_000), Clock.systemUTC());
  private final StubAdapter adapter = new StubAdapter("n1");
  private final List<Target> received = new CopyOnWriteArrayList<>();
  private GuardDecisionFetcher guards;

  @BeforeEach
  void start() {
    OnEventLoop.call(
        loop,
        () -> {
          fleet.applyPolicies(policies(document("n1", adapter.uri(), "Enforce", "1000")));
          guards = new GuardDecisionFetcher(vertx, PushFixture.SETTINGS, this::receive);
          return null;
        });
  }

  @AfterEach
  void close() throws Exception {
    adapter.close();
    vertx.close().toCompletionStage().toCompletableFuture().get();
  }

  @Test
  void everythingIsFetchedInPagesAndOnlyOnce() {
    decide(0, 150);

    update(149, 1);
    await().until(() -> received.size() == 150);
    update(149, 3);
    decide(150, 160);
    update(159, 5);

    await().until(() -> received.size() == 160);
    assertThat(received).extracting(Target::decidedMillis).isSorted().doesNotHaveDuplicates();
    assertThat(adapter.queries)
        .startsWith("since=0&limit=64")
        .endsWith("since=" + received.get(149).decidedMillis() + "&limit=64")
        .hasSize(4);
  }

  @Test
  void atMostOneRequestPerSecondIsSentAndAFailedOneIsSentAgain() {
    decide(0, 10);
    adapter.setAway(true);
    update(9, 1);
    update(9, 1);
    adapter.setAway(false);

    await()
        .until(
            () -> {
              update(9, 3);
              return received.size() == 10;
            });
    assertThat(adapter.queries).hasSize(1);
  }

  @Test
  void decisionsUnderAnotherNameArePassedOver() {
    adapter.decide(target("n2", 400, START_MILLIS, Limit.None));
    decide(1, 2);
    update(1, 1);

    await().until(() -> !received.isEmpty());
    update(1, 3);
    assertThat(received).extracting(Target::node).containsExactly("n1");
    assertThat(adapter.queries).as("it goes on from there").hasSize(1);
  }

  private void receive(Tier tier, List<Target> decisions) {
    received.addAll(fleet.recordGuardDecisions(tier, decisions));
  }

  private void decide(int from, int until) {
    for (int i = from; i < until; i++) {
      adapter.decide(target("n1", i, START_MILLIS + i, Limit.Guard));
    }
  }

  private void update(int newest, long seconds) {
    var status =
        new TierStatus(
            "n1",
            "memory",
            600,
            0,
            1_000,
            50,
            400,
            0,
            null,
            null,
            "1",
            null,
            null,
            false,
            null,
            target("n1", 0, START_MILLIS + newest, Limit.Guard).decidedMillis(),
            null,
            null,
            null,
            null);
    OnEventLoop.call(
        loop,
        () -> {
          guards.update(fleet.tiers().get(0), status, seconds * SECOND_NANOS);
          return null;
        });
  }
}
