package io.dynims.torture.world;

import io.dynims.controller.share.MemberBeat;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.WireCodec;
import io.dynims.simulation.Hash;
import io.dynims.simulation.Load;
import io.dynims.simulation.MachineClock;
import io.dynims.simulation.SimulatedNode;
import io.dynims.simulation.SimulatedStore;
import io.dynims.simulation.VirtualTime;
import io.dynims.torture.plan.Event.Link;
import io.dynims.torture.plan.Event.Saved;
import io.dynims.torture.plan.NodeSetup;
import io.dynims.torture.plan.Plan;
import io.dynims.torture.plan.TierSetup;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** The whole loop of a plan: nodes with readers, stores and adapters; the job; the controllers. */
public final class World {

  private static final Coding<Ack> ACK = Coding.of(WireCodec.ACK);
  private static final Coding<Policy> POLICY = Coding.of(WireCodec.POLICY);
  private static final Coding<Target> TARGET = Coding.of(WireCodec.TARGET);
  private static final Coding<MemberBeat> BEAT = Coding.of(MemberBeat.CODEC);

  private final Coding<MemoryReading> metrics = Coding.collectd();
  private final Plan plan;
  private final VirtualTime time = new VirtualTime();
  private final Trace trace;
  private final Seen seen;
  private final Network network;
  private final Map<String, SimulatedNode> nodes = new LinkedHashMap<>();
  private final Map<String, MachineClock> clocks = new LinkedHashMap<>();
  private final Map<TierKey, AdapterHost> adapters = new LinkedHashMap<>();
  private final Map<TierKey, Policy> policies = new LinkedHashMap<>();
  private final List<ControllerHost> controllers = new ArrayList<>();
  private final List<Reader> readers = new ArrayList<>();
  private final JobHost job;
  private long beats;

  /**
   * A world in which nothing has happened.
   *
   * @param out takes the lines of the trace; null for none
   * @param seen makes who hears what happens
   */
  public World(Plan plan, Consumer<String> out, SeenFactory seen) {
    this.plan = plan;
    this.trace = new Trace(time, out);
    this.seen = seen.of(this);
    this.network = new Network(time, trace, this.seen, plan.seed(), plan.encodes());
    this.job = new JobHost(time, new MachineClock(time, 0), this.seen, this::send);
    for (NodeSetup node : plan.nodes()) {
      add(node, Hash.of(plan.seed(), node.name().hashCode()));
    }
    for (int i = 1; i <= plan.controllers(); i++) {
      String name = "controller-" + i;
      controllers.add(
          new ControllerHost(
              time,
              trace,
              network,
              new MachineClock(time, 0),
              name,
              plan.controllers() > 1,
              adapters,
              policies,
              ack -> send(ack, name),
              beat -> send(beat, name)));
    }
  }

  /** Makes who hears what happens in a world. */
  public interface SeenFactory {

    /** Of a world that is being made: its nodes are not there yet. */
    Seen of(World world);
  }

  private void add(NodeSetup setup, long seed) {
    var node = new SimulatedNode(time, setup.totalBytes(), setup.noiseBytes(), seed);
    var clock = new MachineClock(time, setup.drift());
    node.add(new Load(0, 0, setup.baseBytes(), Long.MAX_VALUE));
    nodes.put(setup.name(), node);
    clocks.put(setup.name(), clock);
    for (TierSetup tier : setup.tiers()) {
      var store = new SimulatedStore(time, tier.store(), tier.heldBytes(), tier.demandBytes());
      node.add(store);
      policies.put(tier.policy().key(), tier.policy());
      adapters.put(
          tier.policy().key(), new AdapterHost(time, trace, seen, clock, node, store, tier));
    }
    Weights.share(policies, setup.name());
    SimulatedStore first = adapters.get(setup.tiers().get(0).policy().key()).store();
    readers.add(new Reader(time, clock, setup, node, first, seed + 1, this::send));
  }

  /** Starts all parts. */
  public void start() {
    job.start(Saved.Nothing);
    adapters.values().forEach(adapter -> adapter.start(Saved.Nothing));
    controllers.forEach(ControllerHost::start);
    policies.values().forEach(this::send);
    readers.forEach(Reader::start);
  }

  /** The plan. */
  public Plan plan() {
    return plan;
  }

  /** The time. */
  public VirtualTime time() {
    return time;
  }

  /** The trace. */
  public Trace trace() {
    return trace;
  }

  /** The job. */
  public JobHost job() {
    return job;
  }

  /** A node. */
  public SimulatedNode node(String name) {
    return nodes.get(name);
  }

  /** The adapter of a tier. */
  public AdapterHost adapter(TierKey key) {
    return adapters.get(key);
  }

  /** The adapter of a tier. */
  AdapterHost adapter(String node, String tier) {
    return adapters.get(new TierKey(node, tier));
  }

  /** The adapters of a node. */
  List<AdapterHost> adapters(String node) {
    return adapters.values().stream().filter(each -> each.key().node().equals(node)).toList();
  }

  /** The policy of a tier now; null if there is none. */
  public Policy policy(TierKey key) {
    return policies.get(key);
  }

  /** The policy of a tier as the plan has it. */
  Policy planned(TierKey key) {
    return adapters.get(key).planned();
  }

  Network network() {
    return network;
  }

  Seen seen() {
    return seen;
  }

  /** The clock of a node; the job's for null. */
  public MachineClock clock(String node) {
    return node == null ? job.clock() : clocks.get(node);
  }

  ControllerHost controller(int index) {
    return controllers.get(index % controllers.size());
  }

  /** Changes the policy of a tier, for the controllers at once and for the job later. */
  void change(Policy policy) {
    policies.put(policy.key(), policy);
    Set<TierKey> changed = Weights.share(policies, policy.node());
    changed.add(policy.key());
    changed.forEach(this::serve);
  }

  private void serve(TierKey key) {
    send(policies.get(key));
    controllers.forEach(controller -> controller.serve(key));
  }

  /** Withdraws the policy of a tier. */
  void withdraw(TierKey key) {
    Policy last = policies.remove(key);
    if (last != null) {
      network.send(Link.Policies, key.node(), "policies", () -> job.onPolicy(key, null));
      controllers.forEach(controller -> controller.release(last));
      Weights.share(policies, key.node()).forEach(this::serve);
    }
  }

  /** A message with another key than its policy's is refused. */
  private void send(Policy policy) {
    network.send(
        Link.Policies,
        policy.node(),
        "policies",
        POLICY,
        policy,
        read -> {
          if (read.key().equals(policy.key())) {
            job.onPolicy(read.key(), read);
          }
        });
  }

  void send(MemoryReading reading) {
    trace.line(
        () ->
            "%s: sample of %d, used %,d of %,d"
                .formatted(
                    reading.node(),
                    reading.sampledMillis() - MachineClock.EPOCH_MILLIS,
                    reading.totalBytes() - reading.availableBytes(),
                    reading.totalBytes()));
    network.send(Link.Metrics, reading.node(), reading.node(), metrics, reading, job::onReading);
  }

  void send(Ack ack, String from) {
    trace.line(
        () ->
            "%s: ack %s of %d, capacity %,d, used %,d"
                .formatted(
                    ack.key(),
                    ack.status(),
                    ack.sampledMillis() - MachineClock.EPOCH_MILLIS,
                    ack.capacityBytes(),
                    ack.usedBytes()));
    network.send(Link.Acks, ack.node(), "acks of " + ack.key() + from, ACK, ack, job::onAck);
  }

  private void send(Target target) {
    seen.decided(target);
    trace.line(
        () ->
            "%s: decided %,d for the sample of %d: %s"
                .formatted(
                    target.key(),
                    target.desiredBytes(),
                    target.sampledMillis() - MachineClock.EPOCH_MILLIS,
                    target.reason()));
    for (ControllerHost controller : controllers) {
      network.send(
          Link.Targets,
          target.node(),
          "targets of " + target.key() + " to " + controller.name(),
          TARGET,
          target,
          controller::onTarget);
    }
  }

  /** The log of beats: each controller reads all in the same order. */
  private void send(MemberBeat beat, String from) {
    network.send(
        Link.Beats,
        null,
        "beats of " + from,
        () -> {
          long offset = beats++;
          for (ControllerHost each : controllers) {
            network.send(
                Link.Beats,
                null,
                "beats to " + each.name(),
                BEAT,
                beat,
                read -> each.onBeat(offset, read));
          }
        });
  }
}
