package io.dynims.torture.world;

import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.TierKey;
import io.dynims.simulation.MachineClock;
import io.dynims.simulation.SimulatedNode;
import io.dynims.simulation.SimulatedStore;
import io.dynims.simulation.VirtualTime;
import io.dynims.tier.FutureSampleException;
import io.dynims.tier.GuardLoop;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.HintRequest;
import io.dynims.tier.LeasedTier;
import io.dynims.tier.MisdirectedException;
import io.dynims.tier.OutdatedSampleException;
import io.dynims.tier.SavedState;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.SupersededException;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TooManyHintsException;
import io.dynims.torture.plan.Event.Saved;
import io.dynims.torture.plan.TierSetup;
import io.dynims.torture.world.Seen.Cause;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.Consumer;

/**
 * The adapter of one tier, with its guard. A request that shrinks is answered when the store has
 * freed the memory or the budget is over; until then other changes wait, as on a thread.
 */
public final class AdapterHost {

  private static final long SAVE_MILLIS = 1_000;
  private static final int MOST_WAITING = 16;

  private final Trace trace;
  private final Seen seen;
  private final MachineClock clock;
  private final NodeProbe probe;
  private final HostedStore store;
  private final TierSetup setup;
  private final TierKey key;
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  private final Pausable process;

  /** What is in its files. */
  private SavedState files = SavedState.NONE;

  private StateFile state;
  private LimitKeeper keeper;
  private LeasedTier tier;
  private GuardLoop guard;

  private boolean busy;

  AdapterHost(
      VirtualTime time,
      Trace trace,
      Seen seen,
      MachineClock clock,
      SimulatedNode node,
      SimulatedStore store,
      TierSetup setup) {
    this.process = new Pausable(time);
    this.trace = trace;
    this.seen = seen;
    this.clock = clock;
    this.setup = setup;
    this.key = setup.policy().key();
    this.probe = new NodeProbe(node);
    this.store = new HostedStore(key, node, store, this::limited);
  }

  /** The node and the tier. */
  public TierKey key() {
    return key;
  }

  /** Its policy at the beginning. */
  public Policy planned() {
    return setup.policy();
  }

  /** The store. */
  public SimulatedStore store() {
    return store.simulated();
  }

  private void limited(long bytes, Cause cause, long askedBytes) {
    seen.limited(this, bytes, cause, askedBytes);
    trace.line(
        () -> "%s: limit %,d (%s), holds %,d".formatted(key, bytes, cause, store().heldBytes()));
  }

  /** What exists nowhere else from now on. */
  void setUnpersisted(long bytes) {
    store.setUnpersisted(bytes);
  }

  /** What exists nowhere else, of what the store holds. */
  public long unpersistedBytes() {
    return store.unpersistedBytes();
  }

  /** A job announces memory. */
  void give(HintRequest hint) {
    try {
      var unused = tier.putHint(hint);
    } catch (MisdirectedException | TooManyHintsException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Somebody else sets the limit of the store. */
  void setByOther(long bytes) {
    store.setByOther(bytes);
  }

  /** The node's clocks. */
  public MachineClock clock() {
    return clock;
  }

  /** Whether it runs. */
  public boolean isAlive() {
    return process.isAlive();
  }

  /** What it serves; null before it has started. */
  public LeasedTier tier() {
    return tier;
  }

  /** Counts its starts. */
  public int starts() {
    return process.starts();
  }

  /** Starts with what is left of its files. */
  void start(Saved left) {
    process.start();
    busy = false;
    waiting.clear();
    state = StateFile.open(Optional.empty());
    state.change(
        none ->
            switch (left) {
              case All -> files;
              case Policy -> files.withCapacityOf(none);
              case Capacity -> none.withCapacityOf(files);
              case Nothing -> none;
            });
    keeper = new LimitKeeper(store, state, process::after);
    tier =
        new LeasedTier(
            keeper.tier(),
            new GuardSettings(key.node(), Optional.of(probe), state),
            clock,
            clock::nanos);
    guard = new GuardLoop(tier, probe, clock, clock::nanos);
    keeper.start();
    takeTurn();
    save();
  }

  void kill() {
    process.kill();
    store.forget();
  }

  Pausable process() {
    return process;
  }

  void refuse(boolean refuses) {
    store.away(refuses);
  }

  /** Takes a request for a capacity; it may never be answered. */
  void put(TierRequest request, Consumer<TierReply> reply) {
    process.run(() -> take(request, reply));
  }

  private void take(TierRequest request, Consumer<TierReply> reply) {
    if (waiting.size() >= MOST_WAITING) {
      reply.accept(TierReply.unreachable("HTTP 503"));
      return;
    }
    change(() -> apply(request, reply));
  }

  /** Takes a request for the status. */
  void get(Consumer<TierReply> reply) {
    process.run(() -> reply.accept(asked()));
  }

  private TierReply asked() {
    try {
      return reply(AckStatus.Applied, tier.status());
    } catch (StoreUnavailableException e) {
      return TierReply.unreachable(e.getMessage());
    }
  }

  private void change(Runnable change) {
    if (busy) {
      waiting.add(change);
    } else {
      change.run();
    }
  }

  private void apply(TierRequest request, Consumer<TierReply> reply) {
    store.beginPush(request.desiredBytes());
    try {
      tier.apply(request);
      seen.applied(this, request);
    } catch (OutdatedSampleException
        | SupersededException
        | FutureSampleException
        | MisdirectedException
        | StoreUnavailableException e) {
      seen.mark("push " + e.getClass().getSimpleName());
      trace.line(() -> key + " refuses: " + e.getMessage());
      reply.accept(TierReply.unreachable(e.getMessage()));
      return;
    } finally {
      store.end();
    }
    keeper.wake();
    busy = true;
    process.after(
        Math.min(setup.budgetMillis(), store().freeingMillis()), () -> answer(request, reply));
  }

  private void answer(TierRequest request, Consumer<TierReply> reply) {
    busy = false;
    try {
      TierStatus status = tier.status();
      boolean applied = status.capacityBytes() == request.desiredBytes();
      reply.accept(reply(applied ? AckStatus.Applied : AckStatus.Partial, status));
    } catch (StoreUnavailableException e) {
      reply.accept(TierReply.unreachable(e.getMessage()));
    }
    while (!busy && !waiting.isEmpty()) {
      waiting.remove().run();
    }
  }

  private static TierReply reply(AckStatus status, TierStatus told) {
    return new TierReply(status, told, status == AckStatus.Applied ? "" : "not finished yet");
  }

  private void takeTurn() {
    if (busy) {
      waiting.add(this::takeTurn);
      return;
    }
    process.after(guard.turn(), this::takeTurn);
  }

  private void save() {
    keeper.save();
    files = state.state();
    process.after(SAVE_MILLIS, this::save);
  }
}
