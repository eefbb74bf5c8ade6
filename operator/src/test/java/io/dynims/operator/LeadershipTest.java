package io.dynims.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeadershipTest {

  private static final KubernetesSettings SETTINGS =
      new KubernetesSettings(Optional.empty(), "dynims", "", "lease", "me", "");

  private final List<Role> roles = new ArrayList<>();
  private final Leadership leadership = new Leadership(null, SETTINGS, roles::add);

  @AfterEach
  void close() {
    leadership.close();
  }

  @Test
  void whoHoldsTheLeaseLeads() {
    leadership.seen("me");
    leadership.won();

    assertThat(roles).containsExactly(Role.Leader);
  }

  @Test
  void aStandbyStaysOneWhileAnotherHoldsTheLease() {
    leadership.seen("other");
    leadership.lost();

    assertThat(roles).isEmpty();
  }

  @Test
  void aLeaderThatCannotRenewGoesOnInDoubt() {
    leadership.won();
    leadership.lost();

    assertThat(roles).containsExactly(Role.Leader, Role.UnconfirmedLeader);
    assertThat(Role.UnconfirmedLeader.pushes()).isTrue();
  }

  @Test
  void aDoubtfulLeaderThatHoldsTheLeaseAgainLeads() {
    leadership.won();
    leadership.lost();
    leadership.seen("me");
    leadership.won();

    assertThat(roles).containsExactly(Role.Leader, Role.UnconfirmedLeader, Role.Leader);
  }

  @Test
  void aDoubtfulLeaderThatSeesAnotherStandsBy() {
    leadership.won();
    leadership.lost();
    leadership.seen("other");

    assertThat(roles).containsExactly(Role.Leader, Role.UnconfirmedLeader, Role.Standby);
    assertThat(Role.Standby.pushes()).isFalse();
  }

  @Test
  void aLeaderThatSeesAnotherStandsByAtOnce() {
    leadership.won();
    leadership.seen("other");
    leadership.lost();

    assertThat(roles).containsExactly(Role.Leader, Role.Standby);
  }

  @Test
  void aLeaseThatNobodyHoldsIsNoReasonToStop() {
    leadership.won();
    leadership.lost();
    leadership.seen("");
    leadership.seen(null);

    assertThat(roles).containsExactly(Role.Leader, Role.UnconfirmedLeader);
  }

  @Test
  void everyChangeIsToldOnce() {
    leadership.won();
    leadership.won();
    leadership.seen("other");
    leadership.seen("another");

    assertThat(roles).containsExactly(Role.Leader, Role.Standby);
  }

  @Test
  void whoGivesTheLeaseBackAtTheEndIsNotInDoubt() {
    leadership.won();
    leadership.close();
    leadership.lost();

    assertThat(roles).containsExactly(Role.Leader);
  }
}
