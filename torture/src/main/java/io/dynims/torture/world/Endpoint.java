package io.dynims.torture.world;

import io.dynims.controller.push.TierEndpoint;
import io.dynims.simulation.VirtualTime;
import io.dynims.tier.TierApi;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import io.dynims.tier.TierStatus;
import io.dynims.torture.plan.Event.Link;
import java.net.URI;
import java.util.function.Consumer;

/** A controller's connection to an adapter. */
final class Endpoint implements TierEndpoint {

  static final long TIMEOUT_MILLIS = 800;

  private static final Coding<TierRequest> REQUEST = Coding.of(TierApi.REQUEST);
  private static final Coding<TierStatus> STATUS = Coding.of(TierApi.STATUS);

  private final VirtualTime time;
  private final Network network;
  private final Pausable process;
  private final AdapterHost adapter;
  private final String lane;

  /** Counts the calls; an answer to an earlier one than the last comes too late. */
  private long calls;

  private Consumer<TierReply> pending;
  private int connections;
  private int reachedStarts;

  Endpoint(
      VirtualTime time, Network network, Pausable process, AdapterHost adapter, String controller) {
    this.time = time;
    this.network = network;
    this.process = process;
    this.adapter = adapter;
    this.lane = controller + " and " + adapter.key();
  }

  @Override
  public URI uri() {
    return URI.create("http://" + adapter.key().node() + "/" + adapter.key().tier());
  }

  @Override
  public boolean isMisdirected() {
    return false;
  }

  @Override
  public int connection() {
    return connections + (reachedStarts == adapter.starts() ? 0 : 1);
  }

  @Override
  public void get(Consumer<TierReply> onReply) {
    long call = begin(onReply);
    toAdapter(() -> adapter.get(reply -> back(call, reply)), call);
  }

  @Override
  public void put(TierRequest request, Consumer<TierReply> onReply) {
    long call = begin(onReply);
    network
        .asRead(REQUEST, request)
        .forEach(read -> toAdapter(() -> adapter.put(read, reply -> back(call, reply)), call));
  }

  private long begin(Consumer<TierReply> onReply) {
    long call = ++calls;
    pending = onReply;
    if (reachedStarts != adapter.starts()) {
      reachedStarts = adapter.starts();
      connections++;
    }
    time.after(TIMEOUT_MILLIS, () -> process.run(() -> timeOut(call)));
    return call;
  }

  private void toAdapter(Runnable arrive, long call) {
    network.send(
        Link.Requests,
        adapter.key().node(),
        lane,
        () -> {
          if (adapter.isAlive()) {
            arrive.run();
          } else {
            back(call, TierReply.unreachable("the connection was refused"));
          }
        });
  }

  private void back(long call, TierReply reply) {
    if (reply.tier() == null) {
      send(call, reply);
    } else {
      network
          .asRead(STATUS, reply.tier())
          .forEach(told -> send(call, new TierReply(reply.status(), told, reply.message())));
    }
  }

  private void send(long call, TierReply reply) {
    network.send(
        Link.Requests,
        adapter.key().node(),
        lane + " back",
        () -> process.run(() -> answered(call, reply)));
  }

  private void timeOut(long call) {
    if (call == calls && pending != null) {
      connections++;
      complete(TierReply.unreachable("no answer within " + TIMEOUT_MILLIS + " ms"));
    }
  }

  private void answered(long call, TierReply reply) {
    if (call == calls && pending != null) {
      complete(reply);
    }
  }

  private void complete(TierReply reply) {
    Consumer<TierReply> done = pending;
    pending = null;
    done.accept(reply);
  }

  @Override
  public void close() {
    calls++;
    pending = null;
  }
}
