package io.dynims.torture.rules;

import io.dynims.core.loop.NodeLoopState;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.tier.TierRequest;
import io.dynims.torture.plan.NodeSetup;
import io.dynims.torture.plan.Plan;
import io.dynims.torture.world.AdapterHost;
import io.dynims.torture.world.Seen;
import io.dynims.torture.world.World;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Checks all rules, and keeps the first violation of each. */
public final class Rules implements Seen {

  /** How often what is true of a node is compared with the rules. */
  public static final long STEP_MILLIS = 20;

  /** Tiers that only acks name, and those of the policies. */
  private static final int MOST_TIERS = 64 + 4;

  private static final int MOST_PARTS = 16;

  private final World world;
  private final Map<String, Violation> violations = new LinkedHashMap<>();
  private final Map<String, Integer> marks = new TreeMap<>();
  private final Map<String, OfNode> nodes = new LinkedHashMap<>();
  private final Map<TierKey, OrderRule> orders = new HashMap<>();
  private final Map<TierKey, ExplainedRule> explanations = new HashMap<>();

  private record OfNode(
      NodeView view,
      MemoryRule memory,
      EvictionRule eviction,
      ProgressRule progress,
      RoomRule room) {}

  /** The rules of a world that is being made. */
  public Rules(World world) {
    this.world = world;
  }

  /** Begins, once the world is made. */
  public void start() {
    for (NodeSetup setup : world.plan().nodes()) {
      NodeView view = new NodeView(world, setup);
      nodes.put(
          setup.name(),
          new OfNode(
              view,
              new MemoryRule(view),
              new EvictionRule(view),
              new ProgressRule(world, view),
              new RoomRule(world, view)));
    }
    world.time().after(Plan.SETTLED_MILLIS, this::step);
  }

  /** The first violation of each rule. */
  public Map<String, Violation> violations() {
    return violations;
  }

  /** How often each thing was reached. */
  public Map<String, Integer> marks() {
    return marks;
  }

  private void step() {
    for (OfNode each : nodes.values()) {
      each.view.look();
      each.memory.check().ifPresent(this::add);
      each.eviction.check().ifPresent(this::add);
      each.progress.check().ifPresent(this::add);
      each.room.check().ifPresent(this::add);
      checkBounds(each.view.setup().name());
    }
    world.time().after(STEP_MILLIS, this::step);
  }

  private void checkBounds(String node) {
    NodeLoopState state = world.job().state(node);
    if (state != null
        && (state.tiers.size() > MOST_TIERS || state.stockParts.incomplete.size() > MOST_PARTS)) {
      add(new Violation("bounds", world.time().millis(), node + ": the state grows"));
    }
  }

  private void add(Violation violation) {
    if (violations.putIfAbsent(violation.rule(), violation) == null) {
      world.trace().line(() -> "!!! " + violation);
    }
  }

  @Override
  public void failed(String node, RuntimeException failure) {
    add(new Violation("failure", world.time().millis(), node + ": the loop failed: " + failure));
  }

  @Override
  public void decided(Target target) {
    mark("decided " + target.limitedBy());
    OfNode of = nodes.get(target.node());
    if (of != null) {
      of.progress.decided(target.tier());
    }
    ProtectionRule.decided(target, world.job().state(target.node()), world.time().millis())
        .ifPresent(this::add);
  }

  @Override
  public void applied(AdapterHost adapter, TierRequest request) {
    Optional<Violation> violation =
        orders
            .computeIfAbsent(adapter.key(), key -> new OrderRule())
            .applied(adapter, request, world.time().millis(), adapter.starts());
    violation.ifPresent(this::add);
  }

  @Override
  public void limited(AdapterHost adapter, long bytes, Cause cause, long askedBytes) {
    mark("limit by " + cause);
    long millis = world.time().millis();
    explanations
        .computeIfAbsent(adapter.key(), key -> new ExplainedRule())
        .limited(adapter, bytes, cause, askedBytes, millis)
        .ifPresent(this::add);
    if (cause == Cause.Guard) {
      ProtectionRule.guarded(adapter, bytes, millis).ifPresent(this::add);
    }
  }

  @Override
  public void mark(String what) {
    marks.merge(what, 1, Integer::sum);
  }
}
