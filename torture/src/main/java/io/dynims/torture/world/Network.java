package io.dynims.torture.world;

import io.dynims.core.wire.WireException;
import io.dynims.simulation.Hash;
import io.dynims.simulation.VirtualTime;
import io.dynims.torture.plan.Event.Harm;
import io.dynims.torture.plan.Event.Link;
import io.dynims.torture.plan.Event.LinkFault;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Carries messages, each within some milliseconds and in order, but for the faults of the plan. */
final class Network {

  private static final long NANOS_PER_MILLI = 1_000_000;

  private final VirtualTime time;
  private final Trace trace;
  private final Seen seen;
  private final long seed;
  private final boolean encodes;
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

  Network(VirtualTime time, Trace trace, Seen seen, long seed, boolean encodes) {
    this.time = time;
    this.trace = trace;
    this.seen = seen;
    this.seed = seed;
    this.encodes = encodes;
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
    send(link, node, lane, arrive, null);
  }

  /**
   * Sends a message that can be read.
   *
   * @param coding how it is encoded
   */
  <T> void send(
      Link link, String node, String lane, Coding<T> coding, T message, Consumer<T> arrive) {
    send(
        link,
        node,
        lane,
        () -> asRead(coding, message).forEach(arrive),
        seed -> decoded(coding, Tear.of(coding.encode(message), seed)).forEach(arrive));
  }

  /** A message as its receiver reads it: nothing, if it is refused. */
  <T> List<T> asRead(Coding<T> coding, T message) {
    return encodes ? decoded(coding, coding.encode(message)) : List.of(message);
  }

  /** What is read; nothing if it is refused. */
  private <T> List<T> decoded(Coding<T> coding, byte[] message) {
    try {
      return coding.decode(message);
    } catch (WireException e) {
      seen.mark("refused by its codec");
      trace.line(() -> "refused: " + e.getMessage());
      return List.of();
    }
  }

  private void send(Link link, String node, String lane, Runnable arrive, LongConsumer arriveTorn) {
    Lane of = lanes.computeIfAbsent(lane, name -> new Lane(Hash.of(seed, name.hashCode())));
    long number = of.sent++;
    long delayNanos = NANOS_PER_MILLI + (long) (4 * NANOS_PER_MILLI * Hash.unit(of.seed, number));
    // The topic of policies has one producer and keeps its order, also where it is read twice.
    boolean inOrder = link == Link.Policies;
    boolean ordered = true;
    boolean doubled = false;
    Runnable before = null;
    for (int i = 0; i < faults.size(); i++) {
      LinkFault fault = faults.get(i);
      boolean hit =
          fault.link() == link
              && (fault.node() == null || fault.node().equals(node))
              && Hash.unit(fault.seed() ^ of.seed, fault.lanes() ? 0 : number) < fault.share();
      boolean torn = hit && fault.harm() == Harm.Torn;
      if (torn && arriveTorn != null) {
        before = () -> arriveTorn.accept(Hash.of(fault.seed(), of.seed ^ number));
      } else if (hit && fault.harm() == Harm.Lost) {
        trace.line(() -> "lost: " + link + " " + lane);
        return;
      }
      if (hit && !torn) {
        doubled |= fault.harm() == Harm.Doubled;
        ordered &= inOrder || fault.harm() == Harm.Late;
        boolean late = fault.harm() != Harm.Doubled;
        delayNanos += late ? fault.byMillis() * NANOS_PER_MILLI : 0;
      }
    }
    long atNanos = time.nanos() + delayNanos;
    if (ordered) {
      atNanos = Math.max(atNanos, of.lastNanos);
      of.lastNanos = atNanos;
    }
    if (before != null) {
      time.afterNanos(atNanos - time.nanos(), before);
    }
    time.afterNanos(atNanos - time.nanos(), arrive);
    if (doubled) {
      time.afterNanos(atNanos - time.nanos() + (inOrder ? 0 : NANOS_PER_MILLI), arrive);
    }
  }
}
