package io.dynims.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.simulation.Load;
import io.dynims.simulation.Rates;
import io.dynims.simulation.SimulatedStore;
import io.dynims.torture.plan.Event;
import io.dynims.torture.plan.NodeSetup;
import io.dynims.torture.plan.Plan;
import io.dynims.torture.plan.TierSetup;
import io.dynims.torture.rules.Rules;
import io.dynims.torture.world.Happening;
import io.dynims.torture.world.World;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A node of 125 GB whose jobs take 5 GB at once while an unmeasured store of 50 GB keeps it full.
 * The store takes until after the next samples to free what it is asked for.
 */
class LateStoreTest {

  private static final String NODE = "node-1";
  private static final long GB = 1_000_000_000;
  private static final double THRESHOLD = 0.95;
  private static final long JUMP_BYTES = 5 * GB;

  @ParameterizedTest
  @CsvSource({"2.5, true", "2.5, false", "17, true", "17, false"})
  void isNotAskedForMuchMoreThanIsNeeded(double freeGbPerSecond, boolean limitsAtOnce) {
    Plan plan = plan(freeGbPerSecond * GB, limitsAtOnce);
    World world = new World(plan, null, Rules::new);
    new Happening(world).schedule();
    world.start();
    world.time().runUntil(plan.durationMillis());

    var store = world.adapter(plan.nodes().get(0).tiers().get(0).policy().key()).store();
    assertThat(store.evictedBytes()).isBetween(JUMP_BYTES * 9 / 10, JUMP_BYTES * 12 / 10);
  }

  private static Plan plan(double freeBytesPerSecond, boolean limitsAtOnce) {
    Policy policy =
        new Policy(
            NODE,
            "values",
            Mode.Enforce,
            LawType.Forecast,
            THRESHOLD,
            LawType.Forecast.defaultGain(),
            0L,
            null,
            60 * GB,
            null,
            null,
            100,
            2_000,
            null);
    var behaviour =
        new SimulatedStore.Behaviour(
            0, 60 * GB, new Rates(freeBytesPerSecond, GB), 1, limitsAtOnce, 1);
    TierSetup tier = new TierSetup(policy, behaviour, 50 * GB, 60 * GB, 300);
    long totalBytes = 125 * GB;
    long baseBytes = (long) (THRESHOLD * totalBytes) - 50 * GB;
    NodeSetup node =
        new NodeSetup(
            NODE,
            totalBytes,
            baseBytes,
            0,
            0,
            NodeSetup.Reporting.EverySample,
            false,
            List.of(tier));
    Event jump = new Event.Jobs(NODE, new Load(10_000, 0, JUMP_BYTES, Long.MAX_VALUE));
    return new Plan(1, 30_000, false, 1, List.of(node), List.of(jump));
  }
}
