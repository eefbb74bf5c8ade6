package io.dynims.tier;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;

/**
 * Ends a connection that takes too long: for the handshake and the next whole request, or for
 * reading an answer. While a request is being worked on there is no deadline.
 */
final class RequestDeadline extends ChannelDuplexHandler {

  private final long millis;
  private ScheduledFuture<?> deadline;

  RequestDeadline(long millis) {
    this.millis = millis;
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws Exception {
    start(context);
    super.channelActive(context);
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
    if (message instanceof FullHttpRequest) {
      stop();
    }
    super.channelRead(context, message);
  }

  @Override
  public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
      throws Exception {
    start(context);
    super.write(
        context,
        message,
        promise.unvoid().addListener(written -> restartAfter(context, written.isSuccess())));
  }

  private void restartAfter(ChannelHandlerContext context, boolean written) {
    if (written) {
      start(context);
    }
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    stop();
    super.channelInactive(context);
  }

  private void start(ChannelHandlerContext context) {
    stop();
    Runnable end =
        () -> {
          var unused = context.close();
        };
    deadline = context.executor().schedule(end, millis, TimeUnit.MILLISECONDS);
  }

  private void stop() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }
}
