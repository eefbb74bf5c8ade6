package io.dynims.torture.world;

import io.dynims.controller.push.TierEndpoint;
import io.dynims.simulation.VirtualTime;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import io.dynims.torture.plan.Event.Link;
import java.net.URI;
import java.util.function.Consumer;

/** A controller's connection to an adapter. */
final class Endpoint implements TierEndpoint {

  static final long TIMEOUT_MILLIS = 800;

  private final VirtualTime time;
  private final Network network;
  private final AdapterHost adapter;
  private final String lane;

  /** Counts the calls; an answer to an earlier one than the last comes too late. */
  private long calls;

  private Consumer<TierReply> pending;
  private int connections;
  private int reachedStarts;

  Endpoint(VirtualTime time, Network network, AdapterHost adapter, String controller) {
    this.time = time;
    this.network = network;
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
    toAdapter(() -> adapter.put(request, reply -> back(call, reply)), call);
  }

  private long begin(Consumer<TierReply> onReply) {
    long call = ++calls;
    pending = onReply;
    if (reachedStarts != adapter.starts()) {
      reachedStarts = adapter.starts();
      connections++;
    }
    time.after(
        TIMEOUT_MILLIS,
        () -> {
          if (call == calls && pending != null) {
            connections++;
            complete(TierReply.unreachable("no answer within " + TIMEOUT_MILLIS + " ms"));
          }
        });
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
    network.send(
        Link.Requests,
        adapter.key().node(),
        lane + " back",
        () -> {
          if (call == calls && pending != null) {
            complete(reply);
          }
        });
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
