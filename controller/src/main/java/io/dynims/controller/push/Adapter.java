package io.dynims.controller.push;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.dynims.tier.TierApi;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.util.ReferenceCountUtil;
import io.vertx.core.AsyncResult;
import io.vertx.core.Vertx;
import io.vertx.core.internal.net.NetSocketInternal;
import io.vertx.core.net.NetClient;
import io.vertx.core.net.NetSocket;
import java.net.URI;
import java.util.function.Consumer;

/**
 * Calls one node's Tier API over one connection that stays open, one call at a time. Every call
 * ends within the time-out and tells how. For use on one event loop.
 *
 * <p>What goes to every node ten times a second is written here without an HTTP client, which was
 * half of the event loop's work at a thousand nodes; what comes back is read by Netty's decoder.
 */
final class Adapter {

  private static final int HTTP_PORT = 80;
  private static final int MAX_ANSWER_BYTES = 64 << 10;

  private final Vertx vertx;
  private final NetClient net;
  private final URI uri;
  private final String host;
  private final int port;
  private final long timeoutMillis;
  private final byte[] get;
  private final byte[] put;

  private Call call;
  private NetSocketInternal socket;
  private boolean answered;
  private boolean connecting;
  private boolean timing;
  private boolean closed;

  private static final class Call {

    final byte[] head;
    final byte[] body;
    final Consumer<TierReply> taker;
    final long startNanos = System.nanoTime();
    boolean again;

    Call(byte[] head, byte[] body, Consumer<TierReply> taker) {
      this.head = head;
      this.body = body;
      this.taker = taker;
    }
  }

  Adapter(Vertx vertx, NetClient net, URI uri, long timeoutMillis) {
    this.vertx = vertx;
    this.net = net;
    this.uri = uri;
    this.host = uri.getHost().replaceAll("[\\[\\]]", "");
    this.port = uri.getPort() < 0 ? HTTP_PORT : uri.getPort();
    this.timeoutMillis = timeoutMillis;
    String head = " " + TierApi.PATH + " HTTP/1.1\r\nHost: " + uri.getAuthority() + "\r\n";
    this.get = ("GET" + head + "\r\n").getBytes(US_ASCII);
    this.put =
        ("PUT" + head + "Content-Type: application/json\r\nContent-Length: ").getBytes(US_ASCII);
  }

  URI uri() {
    return uri;
  }

  /** Asks what is in force. */
  void get(Consumer<TierReply> taker) {
    begin(new Call(get, null, taker));
  }

  /** Asks for a capacity. */
  void put(TierRequest request, Consumer<TierReply> taker) {
    begin(new Call(put, TierApi.REQUEST.encode(request), taker));
  }

  /** Closes the connection; a call in flight is not told of any more. */
  void close() {
    closed = true;
    call = null;
    disconnect();
  }

  private void begin(Call next) {
    if (call != null) {
      throw new IllegalStateException(uri + " is being called");
    }
    call = next;
    time(timeoutMillis);
    if (socket == null) {
      connect();
    } else {
      send();
    }
  }

  private void connect() {
    if (!connecting) {
      connecting = true;
      net.connect(port, host).onComplete(this::connected);
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
    answered = false;
    opened
        .channelHandlerContext()
        .pipeline()
        .addBefore("handler", "decoder", new HttpResponseDecoder())
        .addBefore("handler", "aggregator", new HttpObjectAggregator(MAX_ANSWER_BYTES));
    opened.messageHandler(message -> answer(opened, message));
    // It is closed after it; nothing of it need be told.
    opened.exceptionHandler(failure -> {});
    opened.closeHandler(ignored -> gone(opened));
  }

  private void send() {
    ChannelHandlerContext channel = socket.channelHandlerContext();
    int bodyBytes = call.body == null ? 0 : call.body.length;
    ByteBuf text = channel.alloc().buffer(put.length + bodyBytes + 16);
    text.writeBytes(call.head);
    if (call.body != null) {
      ByteBufUtil.writeAscii(text, Integer.toString(bodyBytes));
      ByteBufUtil.writeAscii(text, "\r\n\r\n");
      text.writeBytes(call.body);
    }
    // A failure closes the connection, of which the close handler hears.
    var unusedFuture = channel.writeAndFlush(text, channel.voidPromise());
  }

  private void answer(NetSocketInternal from, Object message) {
    try {
      if (from != socket || !(message instanceof FullHttpResponse response)) {
        return;
      }
      answered = true;
      boolean usable = response.decoderResult().isSuccess();
      if (!usable || call == null || !HttpUtil.isKeepAlive(response)) {
        disconnect();
      }
      if (usable) {
        finish(TierReply.read(response.status().code(), ByteBufUtil.getBytes(response.content())));
      } else {
        fail(response.decoderResult().cause());
      }
    } finally {
      ReferenceCountUtil.release(message);
    }
  }

  /** A server may close a connection that was idle at any time, also as the next request comes. */
  private void gone(NetSocketInternal from) {
    if (from != socket) {
      return;
    }
    socket = null;
    if (call != null && answered && !call.again) {
      call.again = true;
      connect();
    } else {
      finish(TierReply.unreachable(uri + " did not answer: the connection was closed"));
    }
  }

  private void fail(Throwable cause) {
    String why = cause.getMessage() == null ? cause.toString() : cause.getMessage();
    finish(TierReply.unreachable(uri + " did not answer: " + why));
  }

  private void finish(TierReply reply) {
    if (call != null) {
      Call done = call;
      call = null;
      done.taker.accept(reply);
    }
  }

  private void disconnect() {
    if (socket != null) {
      NetSocketInternal old = socket;
      socket = null;
      old.close();
    }
  }

  /** One timer that looks again is less work than one for each call. */
  private void time(long millis) {
    if (!timing) {
      timing = true;
      vertx.setTimer(millis, timer -> look());
    }
  }

  private void look() {
    timing = false;
    if (call == null) {
      return;
    }
    long tookMillis = NANOSECONDS.toMillis(System.nanoTime() - call.startNanos);
    if (tookMillis < timeoutMillis) {
      time(Math.max(1, timeoutMillis - tookMillis));
    } else {
      disconnect();
      finish(TierReply.unreachable(uri + " did not answer within " + timeoutMillis + " ms"));
    }
  }
}
