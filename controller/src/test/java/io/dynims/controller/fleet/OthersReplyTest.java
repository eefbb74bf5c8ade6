package io.dynims.controller.fleet;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.forecast;
import static io.dynims.controller.TestFleet.policies;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.Limit;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierState;
import io.dynims.core.wire.TierView;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierStatus;
import java.net.URI;
import java.time.Clock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is shown of a tier that another controller pushes to. */
class OthersReplyTest {

  private final Fleet fleet = new Fleet(new HistoryBound(10, 10), Clock.systemUTC());
  private Tier tier;

  @BeforeEach
  void start() {
    String text = document("n1", URI.create("http://127.0.0.1:1"), "Enforce", "1000");
    fleet.applyPolicies(policies(text));
    tier = fleet.tier(new TierKey("n1", "memory"));
  }

  @Test
  void aDecisionTellsWhatIsInForce() {
    poll(500);
    decide(target("n1", 300));

    TierView view = fleet.view(tier);
    assertThat(view.capacityBytes()).as("u of the decision").isEqualTo(1_000);
    assertThat(view.usedBytes()).isEqualTo(60);
    assertThat(view.desiredBytes()).isEqualTo(300);
    assertThat(view.state()).isEqualTo(TierState.Enforcing);
  }

  @Test
  void whatCannotBeEvictedMakesItPartial() {
    poll(500);
    decide(forecast("n1", System.currentTimeMillis()));

    assertThat(fleet.view(tier).state()).isEqualTo(TierState.Partial);
    assertThat(fleet.view(tier).stateReason()).contains("bytes cannot be evicted");
  }

  @Test
  void aDecisionThatRestsOnNoAnswerTellsNothing() {
    long nowMillis = System.currentTimeMillis();
    assertThat(OthersReply.of(tier, target("n1", 300))).as("never polled").isEmpty();
    poll(500);

    assertThat(OthersReply.of(tier, target("n1", 300, nowMillis, Limit.Unconfirmed))).isEmpty();
    assertThat(OthersReply.of(tier, target("n1", 300, nowMillis, Limit.Stale))).isEmpty();
  }

  private void poll(long capacityBytes) {
    TierStatus status =
        new TierStatus("memory", capacityBytes, 0, 1_000, 40, 0, 0, null, null, "1", null, null);
    fleet.recordReply(tier, new TierReply(AckStatus.Applied, status, ""), false);
  }

  private void decide(Target decision) {
    fleet.recordDecision(decision);
    OthersReply.of(tier, decision).ifPresent(reply -> fleet.recordReply(tier, reply, true));
  }
}
