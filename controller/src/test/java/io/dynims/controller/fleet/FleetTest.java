package io.dynims.controller.fleet;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.policies;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.TierKey;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FleetTest {

  private static final URI ADAPTER = URI.create("http://127.0.0.1:7070");

  private final Fleet fleet = new Fleet(new HistoryBound(10, 100), Clock.systemUTC());

  @Test
  void anotherNodeOfADocumentIsNoChangeOfTheOthers() {
    fleet.applyPolicies(policies(document(2, ADAPTER)));
    List<String> changed = new ArrayList<>();
    fleet.onChange(tier -> changed.add(tier.key().node()));

    fleet.applyPolicies(policies(document(3, ADAPTER)));
    assertThat(changed).containsExactly("n2");
    fleet.applyPolicies(policies(document(3, ADAPTER).replace("1000", "2000")));
    assertThat(changed).containsExactly("n2", "n0", "n1", "n2");
    assertThat(fleet.tier(new TierKey("n0", "memory")).policy().maxBytes()).isEqualTo(2_000);
  }
}
