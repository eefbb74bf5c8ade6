package io.dynims.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.runtime.auth.HostHeader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.io.network.netty.InboundChannelHandlerFactory;
import org.apache.flink.shaded.netty4.io.netty.buffer.Unpooled;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelFutureListener;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandler;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelHandlerContext;
import org.apache.flink.shaded.netty4.io.netty.channel.ChannelInboundHandlerAdapter;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.DefaultFullHttpResponse;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpHeaderNames;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpMethod;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpRequest;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpResponseStatus;
import org.apache.flink.shaded.netty4.io.netty.handler.codec.http.HttpVersion;
import org.apache.flink.shaded.netty4.io.netty.util.ReferenceCountUtil;

/**
 * Makes Flink's REST API read-only, or turns it off, where the job has a Flink of its own, because
 * it asks nobody for credentials: only GET and HEAD are answered, not those paths on which a GET
 * ends the job, and on loopback no request for a foreign host, which is how a page in a browser
 * would send it. Flink finds this class as a service.
 */
public final class ReadOnlyRest implements InboundChannelHandlerFactory {

  /** Which requests are answered. */
  public enum Access {
    /** All of them, as this class may be in a Flink cluster that runs other jobs, too. */
    All,
    /** Those that read. */
    Reading,
    /** None: Flink cannot do without the port. */
    None
  }

  /** Flink's setting {@code dynims.rest.allowed}. */
  public static final ConfigOption<Access> ALLOWED =
      ConfigOptions.key("dynims.rest.allowed").enumType(Access.class).defaultValue(Access.All);

  private static final String READ_ONLY = "{\"errors\":[\"this REST API is read-only\"]}";
  private static final String OFF = "{\"errors\":[\"this REST API is off\"]}";
  private static final Set<HttpMethod> READING = Set.of(HttpMethod.GET, HttpMethod.HEAD);

  /** Flink calls it. */
  public ReadOnlyRest() {}

  @Override
  public int priority() {
    return 0;
  }

  @Override
  public Optional<ChannelHandler> createHandler(
      Configuration configuration, Map<String, String> responseHeaders) {
    Access allowed = configuration.get(ALLOWED);
    return allowed == Access.All
        ? Optional.empty()
        : Optional.of(new Reader(allowed == Access.Reading));
  }

  /** Whether a request only reads. */
  static boolean isReading(HttpMethod method, String uri) {
    String path = uri.replaceFirst("[?#].*", "").toLowerCase(Locale.ROOT);
    return READING.contains(method) && !path.contains("/yarn-") && !path.contains("%");
  }

  private static final class Reader extends ChannelInboundHandlerAdapter {

    private final boolean answers;
    private boolean refused;

    private Reader(boolean answers) {
      this.answers = answers;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (message instanceof HttpRequest request) {
        InetAddress address = ((InetSocketAddress) context.channel().localAddress()).getAddress();
        String host = request.headers().get(HttpHeaderNames.HOST);
        refused =
            refused
                || !answers
                || !isReading(request.method(), request.uri())
                || !HostHeader.isMeant(address, host);
        if (refused) {
          refuse(context);
        }
      }
      if (refused) {
        ReferenceCountUtil.release(message);
      } else {
        context.fireChannelRead(message);
      }
    }

    private void refuse(ChannelHandlerContext context) {
      var response =
          new DefaultFullHttpResponse(
              HttpVersion.HTTP_1_1,
              HttpResponseStatus.FORBIDDEN,
              Unpooled.copiedBuffer(answers ? READ_ONLY : OFF, UTF_8));
      response
          .headers()
          .set(HttpHeaderNames.CONTENT_TYPE, "application/json")
          .set(HttpHeaderNames.CONTENT_LENGTH, response.content().readableBytes())
          .set(HttpHeaderNames.CONNECTION, "close");
      var unused = context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
    }
  }
}
