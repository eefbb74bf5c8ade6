package io.dynims.torture.plan;

import io.dynims.core.wire.Mode;
import io.dynims.simulation.Load;
import io.dynims.torture.plan.Event.Harm;
import io.dynims.torture.plan.Event.Link;
import io.dynims.torture.plan.Event.Part;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;

/** Draws what happens to a fleet: each run has only some kinds of it, and at rates of its own. */
final class EventDraw {

  /** The part of the time after which nothing more happens, so that the fleet can heal. */
  private static final double BUSY = 0.65;

  /** How likely a run has a kind of fault at all. */
  private static final double KIND = 0.25;

  /** What was added later is drawn apart, so that the rest of a seed stays as it was. */
  private final Random later;

  private final Random random;
  private final long busyMillis;
  private final int controllers;
  private final List<NodeSetup> nodes;
  private final List<Event> events = new ArrayList<>();

  EventDraw(Random random, long seed, long durationMillis, int controllers, List<NodeSetup> nodes) {
    this.random = random;
    this.later = new Random(~seed);
    this.busyMillis = (long) (BUSY * durationMillis);
    this.controllers = controllers;
    this.nodes = nodes;
  }

  List<Event> draw() {
    nodes.forEach(this::loads);
    for (Link link : Link.values()) {
      kind(() -> linkFault(link));
    }
    for (Part part : Part.values()) {
      kind(() -> kill(part));
    }
    kind(this::clockStep);
    kind(this::policyChange);
    kind(this::slowStore);
    kind(this::refusing);
    kind(this::locked);
    kind(this::foreign);
    kind(() -> events.add(new Event.OddAck(at(), node().name(), "tier-1", random.nextInt(6))));
    kind(() -> events.add(new Event.OddReading(at(), node().name(), random.nextInt(6))));
    laterKind(() -> nodes.forEach(this::unpersisted));
    laterKind(this::hint);
    events.sort(Comparator.comparingLong(Event::atMillis));
    return List.copyOf(events);
  }

  /** A kind of event: in some runs, and there a number of times that is drawn, too. */
  private void kind(Runnable one) {
    if (random.nextDouble() < KIND) {
      int count = 1 + (int) Math.floor(StrictMath.pow(6, random.nextDouble()));
      for (int i = 0; i < count; i++) {
        one.run();
      }
    }
  }

  private void laterKind(Runnable one) {
    if (later.nextDouble() < KIND) {
      int count = 1 + later.nextInt(4);
      for (int i = 0; i < count; i++) {
        one.run();
      }
    }
  }

  private void unpersisted(NodeSetup node) {
    TierSetup tier = node.tiers().get(later.nextInt(node.tiers().size()));
    long at = laterAt();
    long bytes = (long) ((0.3 + 0.7 * later.nextDouble()) * tier.demandBytes());
    events.add(
        new Event.Unpersisted(
            at, Math.min(busyMillis, at + later.nextInt(20_000)), node.name(), tier.name(), bytes));
  }

  private void hint() {
    NodeSetup node = nodes.get(later.nextInt(nodes.size()));
    TierSetup tier = node.tiers().get(later.nextInt(node.tiers().size()));
    long at = laterAt();
    long freeBytes = node.totalBytes() - node.baseBytes();
    long bytes = (long) (later.nextDouble() * 0.4 * freeBytes);
    long end = at + 500 + later.nextInt(8_000);
    events.add(new Event.HintGiven(at, end, node.name(), tier.name(), bytes));
    if (later.nextDouble() < 0.6) {
      long start = at + later.nextInt(3_000);
      long rise = 1_000 * bytes / node.totalBytes() + later.nextInt(2_000);
      events.add(new Event.Jobs(node.name(), new Load(start, rise, bytes, busyMillis)));
    }
  }

  private long laterAt() {
    return Plan.SETTLED_MILLIS + later.nextInt((int) (busyMillis - Plan.SETTLED_MILLIS));
  }

  private void loads(NodeSetup node) {
    int count = random.nextInt(5);
    for (int i = 0; i < count; i++) {
      double free = 1 - (double) node.baseBytes() / node.totalBytes();
      double ratio = free * random.nextDouble() * 0.9 / count;
      long atOnceMillis = (long) (1_000 * ratio); // No machine touches its whole memory faster.
      long riseMillis = atOnceMillis + (random.nextDouble() < 0.3 ? 0 : random.nextInt(8_000));
      long start = at();
      long end =
          random.nextDouble() < 0.5
              ? Long.MAX_VALUE
              : Math.min(busyMillis, start + 200 + random.nextInt(20_000));
      events.add(
          new Event.Jobs(
              node.name(), new Load(start, riseMillis, (long) (ratio * node.totalBytes()), end)));
    }
  }

  private void linkFault(Link link) {
    Harm harm = one(List.of(Harm.values()));
    boolean all = random.nextDouble() < 0.3;
    double share = random.nextDouble() < 0.4 ? 1 : random.nextDouble();
    long at = at();
    events.add(
        new Event.LinkFault(
            at,
            end(at, 6_000),
            link,
            all || link == Link.Beats ? null : node().name(),
            harm,
            random.nextDouble() < 0.3,
            share,
            (long) (5 * StrictMath.pow(600, random.nextDouble())),
            random.nextLong()));
  }

  private void kill(Part part) {
    long at = at();
    boolean shared = part == Part.Job || part == Part.Controller;
    NodeSetup node = node();
    events.add(
        new Event.Kill(
            at,
            end(at, 5_000),
            part,
            shared ? null : node.name(),
            shared ? null : tierName(node),
            random.nextInt(controllers),
            random.nextBoolean()));
  }

  private void clockStep() {
    String node = random.nextDouble() < 0.3 ? null : node().name();
    long millis = (long) (50 * StrictMath.pow(200, random.nextDouble()));
    events.add(new Event.ClockStep(at(), node, random.nextBoolean() ? millis : -millis));
  }

  private void policyChange() {
    NodeSetup node = node();
    Mode mode = one(List.of(Mode.values()));
    double threshold =
        random.nextDouble() < 0.7
            ? node.tiers().get(0).policy().threshold()
            : 0.8 + 0.17 * random.nextDouble();
    events.add(new Event.PolicyChange(at(), node.name(), tierName(node), mode, threshold));
  }

  private void slowStore() {
    NodeSetup node = node();
    long at = at();
    double factor = 2 + random.nextInt(20);
    events.add(new Event.SlowStore(at, end(at, 5_000), node.name(), tierName(node), factor));
  }

  private void refusing() {
    NodeSetup node = node();
    long at = at();
    events.add(new Event.Refusing(at, end(at, 3_000), node.name(), tierName(node)));
  }

  private void locked() {
    NodeSetup node = node();
    TierSetup tier = one(node.tiers());
    long at = at();
    long bytes = (long) (random.nextDouble() * 0.5 * tier.demandBytes());
    events.add(new Event.Locked(at, end(at, 5_000), node.name(), tier.name(), bytes));
  }

  private void foreign() {
    NodeSetup node = node();
    TierSetup tier = one(node.tiers());
    long bytes = (long) (random.nextDouble() * tier.store().maxBytes());
    events.add(new Event.Foreign(at(), node.name(), tier.name(), bytes));
  }

  private long at() {
    return Plan.SETTLED_MILLIS + random.nextInt((int) (busyMillis - Plan.SETTLED_MILLIS));
  }

  private long end(long at, int mostMillis) {
    return Math.min(
        busyMillis, at + (long) (20 * StrictMath.pow(mostMillis / 20.0, random.nextDouble())));
  }

  private NodeSetup node() {
    return one(nodes);
  }

  private <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  private String tierName(NodeSetup node) {
    return one(node.tiers()).name();
  }
}
