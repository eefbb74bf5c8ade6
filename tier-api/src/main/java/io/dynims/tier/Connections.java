package io.dynims.tier;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Bounds the open connections. A new one is always accepted: if there are too many, the oldest one
 * that has shown neither a token nor the controller's certificate ends, so that strangers cannot
 * keep a controller out. For use on one event loop.
 */
@Sharable
final class Connections extends ChannelInboundHandlerAdapter {

  private final int limit;
  private final Set<Channel> strangers = new LinkedHashSet<>();
  private final Set<Channel> known = new HashSet<>();

  Connections(int limit) {
    this.limit = limit;
  }

  /** A connection may change the tier. */
  void know(Channel channel) {
    if (strangers.remove(channel)) {
      known.add(channel);
    }
  }

  @Override
  public void channelActive(ChannelHandlerContext context) throws Exception {
    strangers.add(context.channel());
    if (strangers.size() + known.size() > limit) {
      Iterator<Channel> oldest = strangers.iterator();
      Channel channel = oldest.next();
      oldest.remove();
      // A failure to close is told to nobody, and the channel is forgotten either way.
      var unused = channel.close();
    }
    super.channelActive(context);
  }

  @Override
  public void channelInactive(ChannelHandlerContext context) throws Exception {
    strangers.remove(context.channel());
    known.remove(context.channel());
    super.channelInactive(context);
  }
}
