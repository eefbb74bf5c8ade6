package io.dynims.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LeadershipTest {

  private static final KubernetesSettings SETTINGS =
      new KubernetesSettings(Optional.empty(), "dynims", List.of(), "lease", "me", "", false);

  private final List<Role> roles = new ArrayList<>();
  private final Leadership leadership = new Leadership(null, SETTINGS, roles::add);

  @AfterEach
  void close() {
    leadership.close();
  }

  @Test
  void theHolderOfTheLeaseLeads() {
    leadership.holderSeen("me");
    leadership.acquired();

    assertThat(roles).containsExactly(Role.Leader);
  }

  @Test
  void aStandbyStaysOneWhileAnotherHoldsTheLease() {
    leadership.holderSeen("other");
    leadership.lost();

    assertThat(roles).isEmpty();
  }

  @Test
  void aLeaderThatCannotRenewIsUnconfirmedAndPushes() {
    leadership.acquired();
    leadership.lost();

    assertThat(roles).containsExactly(Role.Leader, Role.UnconfirmedLeader);
    assertThat(Role.UnconfirmedLeader.pushes()).isTrue();
  }

  @Test
  void anUnconfirmedLeaderThatHoldsTheLeaseAgainLeads() {
    leadership.acquired();
    leadership.lost();
    leadership.holderSeen("me");
    leadership.acquired();

    assertThat(roles).containsExactly(Role.Leader, Role.UnconfirmedLeader, Role.Leader);
  }

  @Test
  void anUnconfirmedLeaderThatSeesAnotherStandsBy() {
    leadership.acquired();
    leadership.lost();
    leadership.holderSeen("other");

    assertThat(roles).containsExactly(Role.Leader, Role.UnconfirmedLeader, Role.Standby);
    assertThat(Role.Standby.pushes()).isFalse();
  }

  @Test
  void aLeaderThatSeesAnotherStandsByAtOnce() {
    leadership.acquired();
    leadership.holderSeen("other");
    leadership.lost();

    assertThat(roles).containsExactly(Role.Leader, Role.Standby);
  }

  @Test
  void aLeaseWithoutAHolderDoesNotStopAnUnconfirmedLeader() {
    leadership.acquired();
    leadership.lost();
    leadership.holderSeen("");
    leadership.holderSeen(null);

    assertThat(roles).containsExactly(Role.Leader, Role.UnconfirmedLeader);
  }

  @Test
  void everyChangeIsReportedOnce() {
    leadership.acquired();
    leadership.acquired();
    leadership.holderSeen("other");
    leadership.holderSeen("another");

    assertThat(roles).containsExactly(Role.Leader, Role.Standby);
  }

  @Test
  void aLeaderThatReleasesTheLeaseOnShutdownStaysTheLeader() {
    leadership.acquired();
    leadership.close();
    leadership.lost();

    assertThat(roles).containsExactly(Role.Leader);
  }
}
