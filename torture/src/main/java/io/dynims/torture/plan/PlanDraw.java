package io.dynims.torture.plan;

import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.GuardPolicy;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.OnLostControl;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.SharePolicy;
import io.dynims.simulation.Hash;
import io.dynims.simulation.Rates;
import io.dynims.simulation.SimulatedStore;
import io.dynims.torture.plan.NodeSetup.Reporting;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Draws a plan from a seed: which kinds of things happen at all, how often, and each of them. */
public final class PlanDraw {

  private static final long GIB = 1L << 30;
  private static final long[] MEMORY_BYTES = {8 * GIB, 64 * GIB, 125 * GIB, 512 * GIB};

  /** The policy's interval is the samples'. */
  public static final long INTERVAL_MILLIS = 100;

  private final long seed;

  /** Its numbers are the same on every Java; neighbouring seeds would begin with the same one. */
  private final Random random;

  private PlanDraw(long seed) {
    this.seed = seed;
    this.random = new Random(Hash.of(seed, 1));
  }

  /** The plan of a seed. */
  public static Plan draw(long seed) {
    return new PlanDraw(seed).draw();
  }

  private Plan draw() {
    long durationMillis = 20_000L + random.nextInt(40_000);
    int controllers = chance(0.7) ? 1 : 2 + random.nextInt(2);
    List<NodeSetup> nodes = new ArrayList<>();
    int count = chance(0.5) ? 1 : chance(0.7) ? 2 + random.nextInt(3) : 5 + random.nextInt(16);
    for (int i = 1; i <= count; i++) {
      nodes.add(node("node-" + i));
    }
    EventDraw events = new EventDraw(random, durationMillis, controllers, nodes);
    return new Plan(
        seed, durationMillis, chance(0.1), controllers, List.copyOf(nodes), events.draw());
  }

  private NodeSetup node(String name) {
    long totalBytes = MEMORY_BYTES[random.nextInt(MEMORY_BYTES.length)];
    int count = chance(0.5) ? 1 : chance(0.6) ? 2 : 3 + random.nextInt(2);
    double[] weights = new double[count];
    for (int i = 0; i < count; i++) {
      weights[i] = chance(0.6) ? 1 : 1 + random.nextInt(4);
    }
    double threshold = chance(0.6) ? 0.95 : 0.8 + 0.17 * random.nextDouble();
    LawType law = chance(0.9) ? LawType.Forecast : LawType.Feedback;
    double baseRatio = 0.1 + 0.4 * random.nextDouble();
    double roomRatio = (threshold - baseRatio) * (0.3 + 0.7 * random.nextDouble()) / count;
    List<TierSetup> tiers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      SharePolicy share = new SharePolicy(weights[i], weights[i], false);
      tiers.add(
          tier(name, "tier-" + (i + 1), totalBytes, 1.0 / count, roomRatio, law, threshold, share));
    }
    Reporting reporting =
        chance(0.6) ? Reporting.EverySample : chance(0.6) ? Reporting.ByException : Reporting.Stock;
    long noiseBytes = chance(0.7) ? 0 : (long) (totalBytes * logUniform(0.0005, 0.03));
    double drift = chance(0.8) ? 0 : (random.nextDouble() - 0.5) * 2e-4;
    return new NodeSetup(
        name,
        totalBytes,
        (long) (baseRatio * totalBytes),
        noiseBytes,
        drift,
        reporting,
        reporting != Reporting.Stock && chance(0.5),
        List.copyOf(tiers));
  }

  private TierSetup tier(
      String node,
      String name,
      long totalBytes,
      double part,
      double roomRatio,
      LawType law,
      double threshold,
      SharePolicy share) {
    double maxRatio = Math.min(1, part * (0.5 + random.nextDouble()));
    double minRatio = chance(0.5) ? 0 : 0.1 * maxRatio;
    Mode mode = chance(0.85) ? Mode.Enforce : chance(0.7) ? Mode.Recommend : Mode.Off;
    OnLostControl lost =
        chance(0.7)
            ? OnLostControl.Follow
            : chance(0.5) ? OnLostControl.ShrinkOnly : OnLostControl.Keep;
    GuardPolicy guard =
        new GuardPolicy(lost, null, ForecastParameters.DEFAULT_PRESSURE_LIMIT, null);
    Policy policy =
        new Policy(
            node,
            name,
            mode,
            law,
            threshold,
            law.defaultGain(),
            law.defaults(INTERVAL_MILLIS),
            null,
            minRatio,
            null,
            maxRatio,
            null,
            INTERVAL_MILLIS,
            Policy.DEFAULT_STALE_AFTER_MILLIS,
            null,
            null,
            guard,
            share);
    double free = chance(0.3) ? Double.POSITIVE_INFINITY : totalBytes * logUniform(0.02, 2);
    double fill = totalBytes * logUniform(0.01, 0.5);
    var behaviour =
        new SimulatedStore.Behaviour(
            (long) (minRatio * totalBytes),
            (long) (maxRatio * totalBytes),
            new Rates(free, fill),
            chance(0.8) ? 1 : 64 << 20,
            chance(0.5),
            chance(0.9) ? 1 : 0.9 + 0.2 * random.nextDouble());
    double demand = chance(0.7) ? 1 : random.nextDouble();
    long demandBytes = (long) (demand * maxRatio * totalBytes);
    long heldBytes = Math.min(demandBytes, (long) (Math.min(roomRatio, maxRatio) * totalBytes));
    long budgetMillis = chance(0.3) ? 0 : 100L * (1 + random.nextInt(5));
    return new TierSetup(policy, behaviour, heldBytes, demandBytes, budgetMillis);
  }

  private boolean chance(double probability) {
    return random.nextDouble() < probability;
  }

  private double logUniform(double least, double most) {
    return least * StrictMath.pow(most / least, random.nextDouble());
  }
}
