package io.dynims.tier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.dynims.core.gate.PushGate;
import io.dynims.core.law.LawType;
import io.dynims.core.loop.LoopObserver;
import io.dynims.core.loop.NodeLoop;
import io.dynims.core.loop.NodeLoopState;
import io.dynims.core.node.NodeSampler;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The job's loop, the controller's gate and the node's guard on one simulated node, whose control
 * plane is lost and comes back at random. Whoever moves the capacity, it never grows by more than
 * the decision behind it said, the node never passes its memory, and nothing that was decided is
 * forgotten.
 */
class GuardHandoverTest {

  private static final int LOSSES = 1_000;
  private static final int LOSSES_PER_RUN = 10;
  private static final long M = 1_000_000;
  private static final long UMAX = 500_000;
  private static final long LEASE_MILLIS = 5_000;
  private static final long START = 1_800_000_000_000L;

  @ParameterizedTest
  @EnumSource(LawType.class)
  void controlIsLostAndComesBackWithoutAJump(LawType law) throws Exception {
    for (int seed = 0; seed < LOSSES / LOSSES_PER_RUN; seed++) {
      new Run(law, seed).run();
    }
  }

  private static final class Run implements NodeSampler {

    private final String name;
    private final Random random;
    private final Policy policy;
    private final InMemoryTierStore store = new InMemoryTierStore("t", 0, UMAX);
    private final StateFile stateFile = StateFile.open(Optional.empty());
    private final List<Target> history = new ArrayList<>();
    private final List<Target> decided = new ArrayList<>();

    private long nowMillis = START;
    private long jobBytes = 400_000;
    private long goalBytes = 400_000;
    private LeasedTier tier;
    private GuardLoop guard;
    private NodeLoopState state;
    private NodeLoop job;
    private PushGate gate;
    private boolean policySent;
    private boolean jobRuns = true;
    private boolean controllerRuns = true;
    private boolean samplesCome = true;

    Run(LawType law, long seed) {
      this.name = law + ", seed " + seed;
      this.random = new Random(seed);
      this.policy =
          new Policy(
              "n",
              "t",
              Mode.Enforce,
              law,
              0.95,
              law.defaultGain(),
              0L,
              null,
              UMAX,
              null,
              null,
              100,
              2_000,
              null);
      startAdapter();
      startJob();
      startController();
    }

    void run() throws Exception {
      live(5_000);
      for (int loss = 0; loss < LOSSES_PER_RUN; loss++) {
        int lost = 1 + random.nextInt(7);
        controllerRuns = (lost & 1) == 0;
        jobRuns = (lost & 2) == 0;
        samplesCome = (lost & 4) == 0;
        boolean restarts = random.nextBoolean();
        live(random.nextInt(15_000));
        if (!controllerRuns && restarts) {
          startController();
        }
        if (!jobRuns && restarts) {
          startJob();
        }
        controllerRuns = true;
        jobRuns = true;
        samplesCome = true;
        live(2_000L + random.nextInt(8_000));
      }
      live(3_000);
      assertThat(tier.status().guard()).as(name).isNotEqualTo(GuardState.Deciding);
      assertThat(tier.guard().policy()).as(name).isEqualTo(policy);
      assertThat(history).as(name).isEqualTo(tier.decisions(0, Integer.MAX_VALUE));
      assertThat(stateFile.state().policy()).as(name).isEqualTo(policy);
      assertThat(decided).as(name).isNotEmpty();
    }

    private void live(long millis) throws Exception {
      for (long end = nowMillis + millis; nowMillis < end; ) {
        moveJobs();
        fill();
        int phase = random.nextInt(100);
        nowMillis += phase;
        guardTick();
        nowMillis += 100 - phase;
        fill();
        sample();
        push();
        fetch();
      }
    }

    /** A new goal now and then; at most 1.5 % of M a tick. */
    private void moveJobs() {
      if (nowMillis > START + 3_000 && random.nextInt(30) == 0) {
        goalBytes = 200_000L + random.nextInt(700_000);
      }
      long most = 15_000;
      jobBytes += Math.max(-3 * most, Math.min(most, goalBytes - jobBytes));
      if (usedBytes() > M) {
        fail("%s at %d: %d bytes in use", name, nowMillis - START, usedBytes());
      }
    }

    private void fill() {
      store.write(UMAX);
    }

    private void guardTick() throws Exception {
      long beforeBytes = capacityBytes();
      Long last = tier.status().guardDecidedMillis();
      if (tier.guard() != null) {
        guard.tick(tier.guard());
      }
      List<Target> fresh = tier.decisions(last == null ? 0 : last, 10);
      decided.addAll(fresh);
      if (capacityBytes() != beforeBytes) {
        assertThat(fresh).as(name).hasSize(1);
        requireStep(beforeBytes, fresh.get(0));
      }
    }

    private void sample() {
      if (!jobRuns) {
        return;
      }
      while (state.timerMillis != 0 && state.timerMillis <= nowMillis) {
        offer(job.onTimer(nowMillis));
      }
      if (samplesCome) {
        offer(
            job.onSample(
                new MemoryReading(
                    "n",
                    nowMillis,
                    MemoryReading.WHOLE,
                    M,
                    M - usedBytes(),
                    new MemoryReading.TierUse("t", capacityBytes()),
                    null),
                nowMillis));
      }
    }

    private void offer(List<Target> targets) {
      if (controllerRuns) {
        targets.forEach(gate::offer);
      }
    }

    private void push() throws Exception {
      if (!controllerRuns) {
        return;
      }
      for (int i = 0; i < 3; i++) {
        PushGate.Step step = gate.next(policy, nowMillis, nanos());
        switch (step.kind()) {
          case Idle, Wait -> {
            return;
          }
          case Poll -> poll();
          case Acknowledge -> ack(step.target().sampledMillis());
          case Push -> push(step.target(), step.leaseMillis());
        }
      }
    }

    private void push(Target target, long leaseMillis) throws Exception {
      long beforeBytes = capacityBytes();
      try {
        tier.apply(
            new TierRequest(
                target.desiredBytes(),
                target.sampledMillis(),
                leaseMillis,
                target.previousBytes(),
                policySent ? null : policy));
        policySent = true;
        requireStep(beforeBytes, target);
        boolean inForce = capacityBytes() == target.desiredBytes();
        gate.answered(target, inForce, capacityBytes(), capacityBytes());
        ack(target.sampledMillis());
      } catch (OutdatedSampleException e) {
        gate.failed(target);
        if (jobRuns) {
          job.onAck(
              Ack.failed(
                  new TierKey("n", "t"),
                  target.desiredBytes(),
                  "409",
                  target.sampledMillis(),
                  nowMillis),
              nowMillis);
        }
      }
    }

    /** What moved the capacity must have been decided from what was in force, or less. */
    private void requireStep(long beforeBytes, Target by) throws Exception {
      long lawfulBytes = Math.max(0, by.desiredBytes() - by.previousBytes());
      if (capacityBytes() - beforeBytes > lawfulBytes) {
        fail("%s at %d: from %d by %s", name, nowMillis - START, beforeBytes, by);
      }
    }

    private void poll() throws Exception {
      gate.told(capacityBytes());
      Long sampledMillis = tier.status().sampledMillis();
      ack(sampledMillis == null ? 0 : sampledMillis);
    }

    private void ack(long sampledMillis) throws Exception {
      if (jobRuns) {
        job.onAck(
            new Ack(
                "n",
                "t",
                capacityBytes(),
                capacityBytes(),
                capacityBytes(),
                AckStatus.Applied,
                "",
                sampledMillis,
                nowMillis),
            nowMillis);
      }
    }

    /** As the controller does: what the guard decided since it last asked. */
    private void fetch() throws Exception {
      if (!controllerRuns) {
        return;
      }
      if (nowMillis % 1_000 < 100) {
        poll();
      }
      Long newest = tier.status().guardDecidedMillis();
      long known = history.isEmpty() ? 0 : history.get(history.size() - 1).decidedMillis();
      while (newest != null && newest > known) {
        history.addAll(tier.decisions(known, TierApi.MAX_DECISIONS));
        known = history.get(history.size() - 1).decidedMillis();
      }
    }

    private void startAdapter() {
      tier =
          new LeasedTier(
              store, new GuardSettings("n", Optional.of(this), stateFile), clock(), this::nanos);
      guard = new GuardLoop(tier, this, clock(), this::nanos);
    }

    private void startJob() {
      state = new NodeLoopState();
      job = new NodeLoop(state, nowMillis, LoopObserver.NONE);
      job.onPolicy(policy, nowMillis);
    }

    private void startController() {
      gate = new PushGate(new PushGate.Settings(LEASE_MILLIS, 500, 0.001));
      policySent = false;
    }

    private Clock clock() {
      return new Clock() {
        @Override
        public java.time.ZoneId getZone() {
          return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(java.time.ZoneId zone) {
          return this;
        }

        @Override
        public Instant instant() {
          return Instant.ofEpochMilli(nowMillis);
        }
      };
    }

    private long nanos() {
      return (nowMillis - START) * 1_000_000;
    }

    private long capacityBytes() {
      try {
        return store.status().capacityBytes();
      } catch (StoreUnavailableException e) {
        throw new AssertionError(e);
      }
    }

    @Override
    public void sample(boolean exact) {}

    @Override
    public long totalBytes() {
      return M;
    }

    @Override
    public long usedBytes() {
      return jobBytes + capacityBytes();
    }

    @Override
    public long stalledMicros() {
      return UNKNOWN;
    }

    @Override
    public void close() {}
  }
}
