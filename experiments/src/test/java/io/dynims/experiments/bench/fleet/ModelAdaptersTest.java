package io.dynims.experiments.bench.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.AckStatus;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import org.junit.jupiter.api.Test;

class ModelAdaptersTest {

  @Test
  void eachNodeHasATierThatCanBeResizedAndRead() throws Exception {
    ModelNodes nodes = new ModelNodes(300, BurstShape.ofAll(300, 1));
    Ticks ticks = new Ticks(300);
    ticks.measure(true);
    ticks.sent(299, 1_000);
    try (ModelAdapters adapters = new ModelAdapters(nodes, ticks)) {
      assertThat(adapters.addresses()).doesNotHaveDuplicates().hasSize(300);
      TierClient last = new TierClient(adapters.addresses().get(299));

      TierReply before = last.get();
      TierReply after = last.put(new TierRequest(5_000_000, 1_000, 5_000));
      TierReply again = last.get();

      assertThat(before.tier().capacityBytes()).isEqualTo(ModelNodes.MAX_TIER_BYTES);
      assertThat(before.tier().leaseHeld()).isNull();
      assertThat(after.status()).isEqualTo(AckStatus.Applied);
      assertThat(again.tier().capacityBytes()).isEqualTo(5_000_000);
      assertThat(again.tier().sampledMillis()).isEqualTo(1_000);
      assertThat(nodes.capacityBytes(298)).isEqualTo(ModelNodes.MAX_TIER_BYTES);
      assertThat(ticks.missed()).isZero();
    }
  }
}
