package io.dynims.torture.world;

import io.dynims.controller.push.PushSettings;
import io.dynims.controller.push.Releaser;
import io.dynims.controller.push.Tenure;
import io.dynims.controller.push.TierListener;
import io.dynims.controller.push.TierLoop;
import io.dynims.controller.share.MemberBeat;
import io.dynims.controller.share.PartitionShare;
import io.dynims.core.gate.PushGate;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.simulation.MachineClock;
import io.dynims.simulation.VirtualTime;
import io.dynims.tier.TierReply;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** One controller: a push loop for each tier, and its part in sharing the fleet with others. */
final class ControllerHost {

  static final int PARTITIONS = 8;

  /** The controller's own defaults. */
  private static final PushSettings SETTINGS =
      new PushSettings(Endpoint.TIMEOUT_MILLIS, 1_000, new PushGate.Settings(5_000, 500, 0.001));

  private static final long IDLE_CHECK_MILLIS = 50;
  private static final long BEAT_CHECK_MILLIS = 50;

  private final VirtualTime time;
  private final Trace trace;
  private final Network network;
  private final MachineClock clock;
  private final String name;
  private final boolean shared;
  private final Map<TierKey, AdapterHost> adapters;
  private final Map<TierKey, Policy> policies;
  private final Consumer<Ack> acks;
  private final Consumer<MemberBeat> log;
  private final Map<TierKey, TierLoop> loops = new LinkedHashMap<>();
  private final Map<TierKey, Integer> partitions = new LinkedHashMap<>();
  private final Pausable process;
  private PartitionShare share;
  private Releaser releaser;
  private Map<Integer, Long> held = Map.of();
  private String member;

  ControllerHost(
      VirtualTime time,
      Trace trace,
      Network network,
      MachineClock clock,
      String name,
      boolean shared,
      Map<TierKey, AdapterHost> adapters,
      Map<TierKey, Policy> policies,
      Consumer<Ack> acks,
      Consumer<MemberBeat> log) {
    this.time = time;
    this.process = new Pausable(time);
    this.trace = trace;
    this.network = network;
    this.clock = clock;
    this.name = name;
    this.shared = shared;
    this.adapters = adapters;
    this.policies = policies;
    this.acks = acks;
    this.log = log;
    for (TierKey key : adapters.keySet()) {
      partitions.put(key, Math.floorMod((key.node() + key.tier()).hashCode(), PARTITIONS));
    }
  }

  String name() {
    return name;
  }

  void start() {
    kill(); // Kills may overlap.
    process.start();
    member = name + "-" + process.starts();
    share = new PartitionShare(member);
    held = Map.of();
    releaser =
        new Releaser(
            process::after,
            (key, address) -> endpoint(key),
            SETTINGS.gate(),
            Releaser.RETRY_MILLIS,
            (key, done) -> trace.line(() -> "%s: released %s: %s".formatted(key, name, done)));
    policies.keySet().forEach(this::serve);
    pollIdle();
    if (shared) {
      beat();
    }
  }

  private Endpoint endpoint(TierKey key) {
    return new Endpoint(time, network, process, adapters.get(key), name);
  }

  /** A tier has a policy; it is pushed to from now on. */
  void serve(TierKey key) {
    if (!process.isAlive()) {
      return;
    }
    releaser.cancel(key);
    if (!loops.containsKey(key)) {
      var loop =
          new TierLoop(
              process::after,
              clock,
              clock::nanos,
              SETTINGS,
              new Replies(key),
              key,
              () -> policies.get(key),
              endpoint(key));
      loop.assign(tenure(key));
      loops.put(key, loop);
    }
  }

  /** The policy of a tier is withdrawn. */
  void release(Policy last) {
    TierLoop loop = process.isAlive() ? loops.remove(last.key()) : null;
    if (loop != null) {
      loop.close();
      if (tenure(last.key()).pushes()) {
        releaser.release(last, endpoint(last.key()).uri());
      }
    }
  }

  Pausable process() {
    return process;
  }

  void kill() {
    process.kill();
    loops.values().forEach(TierLoop::close);
    loops.clear();
  }

  void onTarget(Target target) {
    process.run(() -> offer(target));
  }

  private void offer(Target target) {
    TierLoop loop = loops.get(target.key());
    if (loop != null) {
      loop.offer(target);
    }
  }

  void onBeat(long offset, MemberBeat beat) {
    process.run(
        () -> {
          share.onBeat(offset, beat, clock.nanos());
          hold();
        });
  }

  private void pollIdle() {
    long nowNanos = clock.nanos();
    loops.values().forEach(loop -> loop.pollIfIdle(nowNanos));
    process.after(IDLE_CHECK_MILLIS, this::pollIdle);
  }

  private void beat() {
    share
        .next(PARTITIONS, clock.nanos())
        .ifPresent(
            beat -> {
              hold();
              log.accept(beat);
            });
    process.after(BEAT_CHECK_MILLIS, this::beat);
  }

  private void hold() {
    Map<Integer, Long> now = share.held();
    if (!now.equals(held)) {
      held = now;
      trace.line(() -> member + " holds " + now);
      loops.forEach((key, loop) -> loop.assign(tenure(key)));
    }
  }

  private Tenure tenure(TierKey key) {
    if (!shared) {
      return Tenure.SOLE;
    }
    Long term = held.get(partitions.get(key));
    return term == null ? Tenure.OTHERS : Tenure.of(member, term);
  }

  private final class Replies implements TierListener {

    private final TierKey key;

    Replies(TierKey key) {
      this.key = key;
    }

    @Override
    public void pushed(Target target, TierReply reply, long tookNanos) {
      trace.line(
          () ->
              "%s: %s pushed %,d: %s %s"
                  .formatted(key, name, target.desiredBytes(), reply.status(), reply.message()));
    }

    @Override
    public void asked(TierReply reply) {
      trace.line(() -> "%s: %s asked: %s".formatted(key, name, reply.status()));
    }

    @Override
    public void ack(Ack ack) {
      if (tenure(key).pushes()) {
        acks.accept(ack);
      }
    }
  }
}
