package io.dynims.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;
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

/** A node of 125 GB, full with an unmeasured store of 50 GB that answers late, or reports late. */
class LateStoreTest {

  private static final String NODE = "node-1";
  private static final String TIER = "values";
  private static final long GB = 1_000_000_000;
  private static final double THRESHOLD = 0.95;
  private static final long JUMP_BYTES = 5 * GB;
  private static final long DURATION_MILLIS = 60_000;

  @ParameterizedTest
  @CsvSource({"2.5, true", "2.5, false", "17, true", "17, false"})
  void aStoreThatAnswersLateIsNotAskedForMuchMoreThanIsNeeded(
      double freeGbPerSecond, boolean limitsAtOnce) {
    Load jump = new Load(10_000, 0, JUMP_BYTES, Long.MAX_VALUE);
    World world = world(new Rates(freeGbPerSecond * GB, GB), limitsAtOnce, 0, jump);
    world.time().runUntil(DURATION_MILLIS / 2);

    assertThat(store(world).evictedBytes()).isBetween(JUMP_BYTES * 9 / 10, JUMP_BYTES * 12 / 10);
  }

  /** The tier's own movement looks like the jobs'; see control.md. */
  @ParameterizedTest
  @CsvSource({"100, 17", "300, 17", "1000, 17", "100, 125", "300, 125", "1000, 125"})
  void aStoreThatReportsLateComesToRest(long usedAgeMillis, double freeGbPerSecond) {
    Load leaving = new Load(0, 0, 4 * JUMP_BYTES, 10_000);
    Rates rates = new Rates(freeGbPerSecond * GB, 60.0 * GB);
    World world = world(rates, false, usedAgeMillis, leaving);
    world.time().runUntil(DURATION_MILLIS * 2 / 3);
    SimulatedStore store = store(world);
    long evictedBytes = store.evictedBytes();
    world.time().runUntil(DURATION_MILLIS);

    assertThat(store.evictedBytes()).isEqualTo(evictedBytes);
    assertThat(store.heldBytes()).isGreaterThan(48 * GB);
  }

  private static SimulatedStore store(World world) {
    return world.adapter(new TierKey(NODE, TIER)).store();
  }

  private static World world(Rates rates, boolean limitsAtOnce, long usedAgeMillis, Load jobs) {
    World world = new World(plan(rates, limitsAtOnce, usedAgeMillis, jobs), null, Rules::new);
    new Happening(world).schedule();
    world.start();
    return world;
  }

  private static Plan plan(Rates rates, boolean limitsAtOnce, long usedAgeMillis, Load jobs) {
    Policy policy =
        new Policy(
            NODE,
            TIER,
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
        new SimulatedStore.Behaviour(0, 60 * GB, rates, 1, limitsAtOnce, 1, usedAgeMillis);
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
    return new Plan(
        1, DURATION_MILLIS, false, 1, List.of(node), List.of(new Event.Jobs(NODE, jobs)));
  }
}
