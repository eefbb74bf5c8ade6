package io.dynims.controller.push;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.dynims.core.wire.TierKey;
import io.dynims.tier.TierApi;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import io.dynims.tier.TierStatus;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.AsyncResult;
import io.vertx.core.Vertx;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.ConnectOptions;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.util.function.Consumer;

/**
 * Calls one node's Tier API over one persistent connection, one call at a time. Every call ends
 * within the timeout with a reply. An answer of another node's adapter is a failed reply. For use
 * on one event loop.
 *
 * <p>Requests are written without an HTTP client, because a client took half of the event loop's
 * time with a thousand nodes at ten requests per second. Responses are read by Netty's decoder.
 */
final class Adapter implements TierEndpoint {

  private static final int MAX_RESPONSE_BYTES = 64 << 10;

  private final Vertx vertx;
  private final NetClient net;
  private final TierKey key;
  private final URI uri;
  private final ConnectOptions address;
  private final PushSettings settings;
  private final RequestWriter requests;

  private Call call;
  private NetSocketInternal socket;
  private boolean responded;
  private boolean connecting;
  private boolean timerRunning;
  private boolean closed;
  private boolean misdirected;
  private int connections;

  private static final class Call {

    /** Null for a GET. */
    final byte[] body;

    final Consumer<TierReply> onReply;
    final long startNanos = System.nanoTime();
    boolean retried;
    int refusedTokens;

    Call(byte[] body, Consumer<TierReply> onReply) {
      this.body = body;
      this.onReply = onReply;
    }
  }

  Adapter(Vertx vertx, NetClient net, TierKey key, URI uri, PushSettings settings) {
    this.vertx = vertx;
    this.net = net;
    this.key = key;
    this.uri = uri;
    this.address = AdapterEndpoint.connectOptions(uri, settings.tls());
    this.settings = settings;
    this.requests = new RequestWriter(uri, settings.tokens());
  }

  @Override
  public URI uri() {
    return uri;
  }

  @Override
  public boolean isMisdirected() {
    return misdirected;
  }

  @Override
  public int connection() {
    return socket == null ? connections + 1 : connections;
  }

  @Override
  public void get(Consumer<TierReply> onReply) {
    begin(new Call(null, onReply));
  }

  @Override
  public void put(TierRequest request, Consumer<TierReply> onReply) {
    begin(new Call(TierApi.REQUEST.encode(request), onReply));
  }

  @Override
  public void close() {
    closed = true;
    call = null;
    disconnect();
  }

  private void begin(Call next) {
    if (call != null) {
      throw new IllegalStateException("a call to " + uri + " is in flight");
    }
    call = next;
    startTimer(settings.timeoutMillis());
    if (socket == null) {
      connect();
    } else {
      send();
    }
  }

  private void connect() {
    if (!connecting) {
      connecting = true;
      net.connect(address).onComplete(this::connected);
    }
  }

  private void connected(AsyncResult<NetSocket> made) {
    connecting = false;
    if (made.failed()) {
      fail(made.cause());
    } else if (closed) {
      made.result().close();
    } else {
      open((NetSocketInternal) made.result());
      if (call != null) {
        send();
      }
    }
  }

  private void open(NetSocketInternal opened) {
    socket = opened;
    connections++;
    responded = false;
    opened
        .channelHandlerContext()
        .pipeline()
        .addBefore("handler", "decoder", new HttpResponseDecoder())
        .addBefore("handler", "aggregator", new HttpObjectAggregator(MAX_RESPONSE_BYTES));
    opened.messageHandler(message -> receive(opened, message));
    // The connection is closed after any exception, and the close handler deals with that.
    opened.exceptionHandler(failure -> {});
    opened.closeHandler(ignored -> connectionClosed(opened));
  }

  private void send() {
    ChannelHandlerContext channel = socket.channelHandlerContext();
    ByteBuf text = requests.write(channel.alloc(), call.body);
    // A failed write closes the connection, and the close handler deals with that.
    var unusedFuture = channel.writeAndFlush(text, channel.voidPromise());
  }

  /** Sends a request again if another token may be the one that the adapter accepts. */
  private boolean isSentWithAnotherToken(HttpResponseStatus status) {
    if (call == null
        || !status.equals(HttpResponseStatus.UNAUTHORIZED)
        || !requests.takeNextToken(++call.refusedTokens)) {
      return false;
    }
    if (socket == null) {
      connect();
    } else {
      send();
    }
    return true;
  }

  private void receive(NetSocketInternal from, Object message) {
    try {
      if (from != socket || !(message instanceof FullHttpResponse response)) {
        return;
      }
      responded = true;
      boolean usable = response.decoderResult().isSuccess();
      if (!usable || call == null || !HttpUtil.isKeepAlive(response)) {
        disconnect();
      }
      if (usable && !isSentWithAnotherToken(response.status())) {
        complete(
            identified(
                TierReply.read(
                    response.status().code(), ByteBufUtil.getBytes(response.content()))));
      } else if (!usable) {
        fail(response.decoderResult().cause());
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  /** The reply itself, or a failed one if it is another node's. Tiers may have other names. */
  private TierReply identified(TierReply reply) {
    TierStatus tier = reply.tier();
    if (tier != null) {
      misdirected = tier.node() != null && !tier.node().equals(key.node());
    }
    return tier != null && misdirected
        ? TierReply.unreachable(
            "the adapter at %s is that of node %s, not of node %s"
                .formatted(uri, tier.node(), key.node()))
        : reply;
  }

  /**
   * A server may close an idle connection at any time, even while a request is on its way. Such a
   * request is sent once more.
   */
  private void connectionClosed(NetSocketInternal from) {
    if (from != socket) {
      return;
    }
    socket = null;
    if (call != null && responded && !call.retried) {
      call.retried = true;
      connect();
    } else {
      complete(TierReply.unreachable(uri + " did not answer: the connection was closed"));
    }
  }

  private void fail(Throwable cause) {
    String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    complete(TierReply.unreachable(uri + " did not answer: " + why));
  }

  private void complete(TierReply reply) {
    if (call != null) {
      Call done = call;
      call = null;
      done.onReply.accept(reply);
    }
  }

  private void disconnect() {
    if (socket != null) {
      NetSocketInternal old = socket;
      socket = null;
      old.close();
    }
  }

  /** One timer that is started again costs less than a timer for each call. */
  private void startTimer(long millis) {
    if (!timerRunning) {
      timerRunning = true;
      vertx.setTimer(millis, timer -> checkTimeout());
    }
  }

  private void checkTimeout() {
    timerRunning = false;
    if (call == null) {
      return;
    }
    long tookMillis = NANOSECONDS.toMillis(System.nanoTime() - call.startNanos);
    if (tookMillis < settings.timeoutMillis()) {
      startTimer(Math.max(1, settings.timeoutMillis() - tookMillis));
    } else {
      disconnect();
      complete(
          TierReply.unreachable(
              uri + " did not answer within " + settings.timeoutMillis() + " ms"));
    }
  }
}
