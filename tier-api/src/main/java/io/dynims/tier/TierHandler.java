package io.dynims.tier;

import io.dynims.runtime.auth.HostHeader;
import io.dynims.tier.TierRoutes.Answer;
import io.dynims.tier.TierRoutes.Request;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;

/** One connection of the Tier API: has its requests answered one after the other. */
final class TierHandler extends SimpleChannelInboundHandler<FullHttpRequest> {

  private static final Logger LOG = System.getLogger(TierHandler.class.getName());

  /** Requests that a client has sent ahead. */
  private static final int MAX_WAITING = 16;

  private final TierRoutes routes;
  private final TierAccess access;
  private final Connections connections;
  private final InetSocketAddress listening;
  private final Queue<FullHttpRequest> waiting = new ArrayDeque<>();
  private boolean busy;

  /** Null until it is known. */
  private Boolean controller;

  TierHandler(
      TierRoutes routes, TierAccess access, Connections connections, InetSocketAddress listening) {
    this.routes = routes;
    this.access = access;
    this.connections = connections;
    this.listening = listening;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext context, FullHttpRequest message) {
    if (!busy) {
      answer(context, message);
    } else if (waiting.size() < MAX_WAITING) {
      waiting.add(message.retain());
    } else {
      var unused = context.close();
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
    super.channelInactive(context);
  }

  private void answered(ChannelHandlerContext context) {
    busy = false;
    FullHttpRequest next = waiting.poll();
    if (next != null) {
      try {
        answer(context, next);
      } finally {
        next.release();
      }
    }
  }

  private void answer(ChannelHandlerContext context, FullHttpRequest message) {
    busy = true;
    boolean head = message.method().equals(HttpMethod.HEAD);
    if (message.decoderResult().isFailure()) {
      String why = String.valueOf(message.decoderResult().cause().getMessage());
      write(context, TierRoutes.problem("Invalid request", 400, why, null), false, head);
      return;
    }
    boolean keepAlive = HttpUtil.isKeepAlive(message);
    String host = message.headers().get(HttpHeaderNames.HOST);
    if (!HostHeader.isMeant(listening.getAddress(), host)) {
      forbid(context, HostHeader.NOT_MEANT, head);
      return;
    }
    // Before a PUT or a DELETE to another origin, a browser sends a preflight request.
    if (message.method().equals(HttpMethod.POST)
        && message.headers().contains(HttpHeaderNames.ORIGIN)) {
      String why = "a page of a browser may not change anything";
      forbid(context, why, head);
      return;
    }
    String authorization = message.headers().get(HttpHeaderNames.AUTHORIZATION);
    boolean known = access.hasToken(authorization) || isController(context);
    if (known) {
      connections.know(context.channel());
    }
    String uri = message.uri();
    int question = uri.indexOf('?');
    Request request =
        new Request(
            message.method().name(),
            question < 0 ? uri : uri.substring(0, question),
            question < 0 ? null : uri.substring(question + 1),
            ByteBufUtil.getBytes(message.content()));
    routes.handle(
        request,
        known || access.isOpen(),
        answer -> execute(context, () -> write(context, answer, keepAlive, head)));
  }

  /** An answer that comes after the server was closed is dropped; its connection is closed, too. */
  private static void execute(ChannelHandlerContext context, Runnable write) {
    try {
      context.executor().execute(write);
    } catch (RejectedExecutionException e) {
      LOG.log(Level.DEBUG, "the server was closed before the answer", e);
    }
  }

  /** Whether the client is the controller; its certificate is checked once. */
  private boolean isController(ChannelHandlerContext context) {
    if (controller == null) {
      SslHandler tls = context.pipeline().get(SslHandler.class);
      controller = tls != null && access.isController(tls.engine().getSession());
    }
    return controller;
  }

  private void forbid(ChannelHandlerContext context, String why, boolean head) {
    write(context, TierRoutes.problem("Forbidden", 403, why, null), false, head);
  }

  private void write(
      ChannelHandlerContext context, Answer answer, boolean keepAlive, boolean head) {
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            HttpResponseStatus.valueOf(answer.status()),
            head ? Unpooled.EMPTY_BUFFER : Unpooled.wrappedBuffer(answer.body()));
    response
        .headers()
        .set(HttpHeaderNames.CONTENT_TYPE, answer.contentType())
        .set(HttpHeaderNames.CONTENT_LENGTH, answer.body().length);
    answer.headers().forEach(response.headers()::set);
    HttpUtil.setKeepAlive(response, keepAlive);
    ChannelFutureListener next =
        keepAlive ? done -> answered(context) : ChannelFutureListener.CLOSE;
    var unused = context.writeAndFlush(response).addListener(next);
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
    // A broken connection.
    var unused = context.close();
  }
}
