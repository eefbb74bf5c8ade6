package io.dynims.torture.plan;

import io.dynims.core.wire.Mode;
import io.dynims.simulation.Load;
import io.dynims.torture.plan.Event.Harm;
import io.dynims.torture.plan.Event.Link;
import io.dynims.torture.plan.Event.Part;
import io.dynims.torture.plan.Event.Saved;
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

  private final Random random;
  private final long busyMillis;
  private final int controllers;
  private final List<NodeSetup> nodes;
  private final List<Event> events = new ArrayList<>();

  EventDraw(Random random, long durationMillis, int controllers, List<NodeSetup> nodes) {
    this.random = random;
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
    for (Part part : List.of(Part.Job, Part.Controller, Part.Adapter)) {
      kind(() -> pause(part));
    }
    kind(this::withdrawal);
    kind(() -> nodes.forEach(this::unpersisted));
    kind(this::hint);
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

  private void unpersisted(NodeSetup node) {
    TierSetup tier = node.tiers().get(random.nextInt(node.tiers().size()));
    long at = at();
    long bytes = (long) ((0.3 + 0.7 * random.nextDouble()) * tier.demandBytes());
    if (tier.store().limitsAtOnce()) {
      return; // Only Alluxio's tiers have such data.
    }
    events.add(
        new Event.Unpersisted(
            at,
            Math.min(busyMillis, at + random.nextInt(20_000)),
            node.name(),
            tier.name(),
            bytes));
  }

  private void hint() {
    NodeSetup node = nodes.get(random.nextInt(nodes.size()));
    TierSetup tier = node.tiers().get(random.nextInt(node.tiers().size()));
    long at = at();
    long freeBytes = node.totalBytes() - node.baseBytes();
    long bytes = (long) (random.nextDouble() * 0.4 * freeBytes);
    long end = at + 500 + random.nextInt(8_000);
    events.add(new Event.HintGiven(at, end, node.name(), tier.name(), bytes));
    if (random.nextDouble() < 0.6) {
      long start = at + random.nextInt(3_000);
      long rise = 1_000 * bytes / node.totalBytes() + random.nextInt(2_000);
      events.add(new Event.Jobs(node.name(), new Load(start, rise, bytes, busyMillis)));
    }
  }

  private void recorded(NodeSetup node) {
    long at = at();
    long end = Math.min(busyMillis, at + 2_000 + random.nextInt(40_000));
    int rows = (int) ((end - at) / Recording.INTERVAL_MILLIS);
    int from = random.nextInt(Recording.rows() - rows);
    double scale = (double) (node.totalBytes() - node.baseBytes()) / Recording.TOTAL_BYTES;
    events.add(new Event.RecordedJobs(node.name(), at, end, from, scale));
  }

  private void loads(NodeSetup node) {
    if (random.nextDouble() < 0.1) {
      recorded(node);
      return;
    }
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

  /**
   * What is torn may look as if it were another node's. Kafka loses no policy and keeps their
   * order; of HTTP, nothing torn is read.
   */
  private void linkFault(Link link) {
    Harm harm =
        switch (link) {
          case Policies -> one(List.of(Harm.Doubled, Harm.Late, Harm.Torn));
          case Requests -> one(List.of(Harm.Lost, Harm.Doubled, Harm.Late, Harm.OutOfOrder));
          default -> one(List.of(Harm.values()));
        };
    boolean all = random.nextDouble() < 0.3;
    double share = random.nextDouble() < 0.4 ? 1 : random.nextDouble();
    long at = at();
    events.add(
        new Event.LinkFault(
            at,
            end(at, 6_000),
            link,
            all || link == Link.Beats || harm == Harm.Torn ? null : node().name(),
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
            random.nextBoolean() ? Saved.Nothing : one(List.of(Saved.values()))));
  }

  private void pause(Part part) {
    long at = at();
    NodeSetup node = node();
    boolean isAdapter = part == Part.Adapter;
    events.add(
        new Event.Pause(
            at,
            end(at, 4_000),
            part,
            isAdapter ? node.name() : null,
            isAdapter ? tierName(node) : null,
            random.nextInt(controllers)));
  }

  private void withdrawal() {
    NodeSetup node = node();
    long at = at();
    events.add(new Event.Withdrawal(at, end(at, 8_000), node.name(), tierName(node)));
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
