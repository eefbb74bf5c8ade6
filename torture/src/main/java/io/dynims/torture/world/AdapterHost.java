package io.dynims.torture.world;

import io.dynims.core.wire.AckStatus;
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
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.SupersededException;
import io.dynims.tier.TierApi;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TooManyHintsException;
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

  private static final long RECONCILE_MILLIS = 1_000;
  private static final int MOST_WAITING = 16;

  private final VirtualTime time;
  private final Trace trace;
  private final Seen seen;
  private final MachineClock clock;
  private final NodeProbe probe;
  private final HostedStore store;
  private final TierSetup setup;
  private final TierKey key;
  private final boolean encodes;
  private final Queue<Runnable> waiting = new ArrayDeque<>();

  private StateFile saved = StateFile.open(Optional.empty());
  private LeasedTier tier;
  private GuardLoop guard;

  /** Counts the starts; what an earlier one has begun ends without effect. */
  private int starts;

  private boolean alive;
  private boolean busy;

  AdapterHost(
      VirtualTime time,
      Trace trace,
      Seen seen,
      MachineClock clock,
      SimulatedNode node,
      SimulatedStore store,
      TierSetup setup,
      boolean encodes) {
    this.time = time;
    this.trace = trace;
    this.seen = seen;
    this.clock = clock;
    this.setup = setup;
    this.key = setup.policy().key();
    this.probe = new NodeProbe(node);
    this.store = new HostedStore(key, node, store, this::limited);
    this.encodes = encodes;
  }

  /** The node and the tier. */
  public TierKey key() {
    return key;
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
    return alive;
  }

  /** What it serves; null before it has started. */
  public LeasedTier tier() {
    return tier;
  }

  /** Counts its starts. */
  public int starts() {
    return starts;
  }

  void start() {
    starts++;
    alive = true;
    busy = false;
    waiting.clear();
    tier =
        new LeasedTier(
            store, new GuardSettings(key.node(), Optional.of(probe), saved), clock, clock::nanos);
    guard = new GuardLoop(tier, probe, clock, clock::nanos);
    if (saved.state().capacityBytes() != null) {
      store.restore(saved.state().capacityBytes());
    }
    takeTurn(starts);
    reconcile(starts);
  }

  void kill(boolean forgets) {
    alive = false;
    store.forget();
    saved = forgets ? StateFile.open(Optional.empty()) : saved;
  }

  void refuse(boolean refuses) {
    store.away(refuses);
  }

  /** Takes a request for a capacity; it may never be answered. */
  void put(TierRequest request, Consumer<TierReply> reply) {
    if (waiting.size() >= MOST_WAITING) {
      reply.accept(TierReply.unreachable("HTTP 503"));
      return;
    }
    int start = starts;
    change(() -> apply(request, reply, start));
  }

  /** Takes a request for the status. */
  void get(Consumer<TierReply> reply) {
    try {
      reply.accept(reply(AckStatus.Applied, tier.status()));
    } catch (StoreUnavailableException e) {
      reply.accept(TierReply.unreachable(e.getMessage()));
    }
  }

  private void change(Runnable change) {
    if (busy) {
      waiting.add(change);
    } else {
      change.run();
    }
  }

  private void apply(TierRequest request, Consumer<TierReply> reply, int start) {
    store.beginPush(request.desiredBytes());
    try {
      tier.apply(decoded(request));
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
      store.endPush();
    }
    busy = true;
    time.after(
        Math.min(setup.budgetMillis(), store().freeingMillis()),
        () -> {
          if (alive && starts == start) {
            answer(request, reply);
          }
        });
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

  private TierRequest decoded(TierRequest request) {
    return encodes ? World.decoded(TierApi.REQUEST, request) : request;
  }

  private TierReply reply(AckStatus status, TierStatus tierStatus) {
    TierStatus told = encodes ? World.decoded(TierApi.STATUS, tierStatus) : tierStatus;
    return new TierReply(status, told, status == AckStatus.Applied ? "" : "not finished yet");
  }

  private void takeTurn(int start) {
    if (!alive || starts != start) {
      return;
    }
    if (busy) {
      waiting.add(() -> takeTurn(start));
      return;
    }
    long nextMillis = guard.turn();
    time.after(nextMillis, () -> takeTurn(start));
  }

  /** Restores the limit that somebody else has changed, and saves what is to be saved. */
  private void reconcile(int start) {
    if (!alive || starts != start) {
      return;
    }
    long desiredBytes = store.desiredBytes();
    if (desiredBytes >= 0) {
      saved.change(state -> state.withCapacity(desiredBytes));
      store.restore(desiredBytes);
    }
    time.after(RECONCILE_MILLIS, () -> reconcile(start));
  }
}
