package io.dynims.torture.world;

import io.dynims.simulation.Hash;
import io.dynims.simulation.VirtualTime;
import io.dynims.torture.plan.Event.Harm;
import io.dynims.torture.plan.Event.Link;
import io.dynims.torture.plan.Event.LinkFault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Carries messages, each within some milliseconds and in order, but for the faults of the plan. */
final class Network {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final VirtualTime time;
  private final Trace trace;
  private final long seed;
  private final List<LinkFault> faults = new ArrayList<>();
  private final Map<String, Lane> lanes = new HashMap<>();

  /** Messages from one part to another; they arrive in order. */
  private static final class Lane {
    final long seed;
    long sent;
    long lastNanos;

    Lane(long seed) {
      this.seed = seed;
    }
  }

  Network(VirtualTime time, Trace trace, long seed) {
    this.time = time;
    this.trace = trace;
    this.seed = seed;
  }

  void begin(LinkFault fault) {
    faults.add(fault);
  }

  void end(LinkFault fault) {
    faults.remove(fault);
  }

  /**
   * Sends a message.
   *
   * @param node the node that it is about; null for none
   * @param lane messages of one lane arrive in order
   */
  void send(Link link, String node, String lane, Runnable arrive) {
    Lane of = lanes.computeIfAbsent(lane, name -> new Lane(Hash.of(seed, name.hashCode())));
    long number = of.sent++;
    long delayNanos = NANOS_PER_MILLI + (long) (4 * NANOS_PER_MILLI * Hash.unit(of.seed, number));
    boolean ordered = true;
    boolean doubled = false;
    for (int i = 0; i < faults.size(); i++) {
      LinkFault fault = faults.get(i);
      boolean hit =
          fault.link() == link
              && (fault.node() == null || fault.node().equals(node))
              && Hash.unit(fault.seed() ^ of.seed, fault.lanes() ? 0 : number) < fault.share();
      if (hit && fault.harm() == Harm.Lost) {
        trace.line(() -> "lost: " + link + " " + lane);
        return;
      }
      if (hit) {
        doubled |= fault.harm() == Harm.Doubled;
        ordered &= fault.harm() == Harm.Late;
        boolean late = fault.harm() != Harm.Doubled;
        delayNanos += late ? fault.byMillis() * NANOS_PER_MILLI : 0;
      }
    }
    long atNanos = time.nanos() + delayNanos;
    if (ordered) {
      atNanos = Math.max(atNanos, of.lastNanos);
      of.lastNanos = atNanos;
    }
    time.afterNanos(atNanos - time.nanos(), arrive);
    if (doubled) {
      time.afterNanos(atNanos - time.nanos() + NANOS_PER_MILLI, arrive);
    }
  }
}
