package io.dynims.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.controller.kafka.TargetPartition;
import io.dynims.controller.push.Tenure;
import io.dynims.core.wire.TierKey;
import io.dynims.operator.Role;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TenuresTest {

  private static final TierKey KEY = new TierKey("n1", "memory");
  private static final int PARTITIONS = 8;

  @Test
  void withoutSharingTheRoleDecides() {
    Tenures tenures = new Tenures(Optional.empty());
    assertThat(tenures.of(KEY)).isEqualTo(Tenure.STANDBY);

    tenures.changeRole(Role.UnconfirmedLeader);
    assertThat(tenures.of(KEY)).isEqualTo(Tenure.SOLE);
    assertThat(tenures.pushes(KEY)).isTrue();
  }

  @Test
  void withSharingThePartitionDecidesAndNotTheRole() {
    Tenures tenures = new Tenures(Optional.of("c1"));
    tenures.changeRole(Role.Leader);
    assertThat(tenures.of(KEY)).isEqualTo(Tenure.OTHERS);

    int partition = TargetPartition.of(KEY, PARTITIONS);
    tenures.serve(Map.of(partition, 17L), PARTITIONS);
    tenures.changeRole(Role.Standby);
    assertThat(tenures.of(KEY)).isEqualTo(Tenure.of("c1", 17));
    assertThat(tenures.served()).isEqualTo(1);

    tenures.serve(Map.of((partition + 1) % PARTITIONS, 18L), PARTITIONS);
    assertThat(tenures.of(KEY)).isEqualTo(Tenure.OTHERS);
    assertThat(tenures.pushes(KEY)).isFalse();
  }
}
