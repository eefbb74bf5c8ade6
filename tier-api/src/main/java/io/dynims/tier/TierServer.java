package io.dynims.tier;

import io.dynims.runtime.tls.TlsFiles;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.FixedRecvByteBufAllocator;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpServerCodec;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Serves the Tier API for one store: {@code GET} and {@code PUT /v1/tier}, {@code GET
 * /v1/tier/decisions} (what the guard decided), {@code GET}, {@code POST} and {@code DELETE
 * /v1/tier/hints} (what jobs are about to take), {@code GET /healthz} (the server runs), {@code GET
 * /readyz} (the store answers, too) and {@code GET /metrics}. It also runs the guard of the node.
 *
 * <p>{@code PUT} answers 200 if the desired capacity is in force, 202 if another one is, 400 if a
 * field is invalid, 401 without a token or the controller's certificate, 409 if the sample is older
 * than the last one applied, 421 if the policy is of another node, and 503 if the store is
 * unavailable. Errors are {@link Problem} documents.
 *
 * <p>One thread reads requests and writes answers and never waits; one applies requests and one
 * answers all others. So no client makes a controller wait, however slowly it sends or reads.
 */
public final class TierServer implements AutoCloseable {

  private static final int MAX_LINE_BYTES = 4 << 10;
  private static final int MAX_HEAD_BYTES = 8 << 10;
  private static final int MAX_CHUNK_BYTES = 8 << 10;
  private static final int READ_BYTES = 4 << 10;
  private static final int BACKLOG = 128;
  private static final long STOP_SECONDS = 2;

  private final EventLoopGroup network;
  private final TierRoutes routes;
  private final LeasedTier tier;
  private final Optional<GuardLoop> guard;
  private final String scheme;
  private InetSocketAddress address;

  private TierServer(
      TierRoutes routes, LeasedTier tier, Optional<GuardLoop> guard, TierAccess access) {
    this.network = new NioEventLoopGroup(1, new DefaultThreadFactory("tier-api"));
    this.routes = routes;
    this.tier = tier;
    this.guard = guard;
    this.scheme = access.tls().isPresent() ? "https" : "http";
  }

  /**
   * Starts a server that counts nothing.
   *
   * @param address where to listen; port 0 takes any free one
   * @param store the store to serve
   * @param guard what the node's guard needs
   * @param access who may resize the tier
   * @throws IOException if the server cannot listen on the address
   */
  public static TierServer start(
      InetSocketAddress address, TierStore store, GuardSettings guard, TierAccess access)
      throws IOException {
    return start(address, store, guard, access, Optional.empty());
  }

  /**
   * Starts a server.
   *
   * @param metrics counts requests, and is served
   * @throws IOException if the server cannot listen on the address
   */
  public static TierServer start(
      InetSocketAddress address,
      TierStore store,
      GuardSettings guard,
      TierAccess access,
      Optional<ServerMetrics> metrics)
      throws IOException {
    LeasedTier tier = new LeasedTier(store, guard, Clock.systemUTC(), System::nanoTime);
    Optional<GuardLoop> loop =
        guard
            .sampler()
            .map(sampler -> new GuardLoop(tier, sampler, Clock.systemUTC(), System::nanoTime));
    TierServer server = new TierServer(new TierRoutes(tier, metrics), tier, loop, access);
    try {
      server.listen(address, access, ServerLimits.DEFAULT);
    } catch (IOException e) {
      server.close();
      throw e;
    }
    loop.ifPresent(GuardLoop::start);
    return server;
  }

  private void listen(InetSocketAddress wanted, TierAccess access, ServerLimits limits)
      throws IOException {
    Connections connections = new Connections(limits.connections());
    sslContext(access); // Fails before the first connection does.
    var bootstrap =
        new ServerBootstrap()
            .group(network)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .option(ChannelOption.SO_REUSEADDR, true)
            .childOption(ChannelOption.TCP_NODELAY, true)
            // Requests are small and few: pools would take memory that is the jobs'.
            .childOption(ChannelOption.ALLOCATOR, new UnpooledByteBufAllocator(false))
            .childOption(ChannelOption.RCVBUF_ALLOCATOR, new FixedRecvByteBufAllocator(READ_BYTES))
            .childHandler(
                new ChannelInitializer<Channel>() {
                  @Override
                  protected void initChannel(Channel channel) throws IOException {
                    channel.pipeline().addLast(connections);
                    sslContext(access)
                        .ifPresent(
                            tls -> channel.pipeline().addLast(tls.newHandler(channel.alloc())));
                    addHttp(channel, limits, new TierHandler(routes, access, connections, wanted));
                  }
                });
    try {
      address = (InetSocketAddress) bootstrap.bind(wanted).sync().channel().localAddress();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted before listening on " + wanted, e);
    } catch (Exception e) {
      // Netty throws the checked exceptions of the channel.
      throw new IOException("cannot listen on " + wanted + ": " + e.getMessage(), e);
    }
  }

  /** Has a connection's bytes read as requests, within the limits, for a handler. */
  static void addHttp(Channel channel, ServerLimits limits, TierHandler handler) {
    channel
        .pipeline()
        .addLast(new HttpServerCodec(MAX_LINE_BYTES, MAX_HEAD_BYTES, MAX_CHUNK_BYTES))
        .addLast(new HttpObjectAggregator(limits.bodyBytes()))
        .addLast(new RequestDeadline(limits.requestMillis()))
        .addLast(handler);
  }

  /**
   * For one connection, so that none resumes the session of another: it would go on with the
   * certificates that were shown there, also if they count no more.
   */
  private static Optional<SslContext> sslContext(TierAccess access) throws IOException {
    if (access.tls().isEmpty()) {
      return Optional.empty();
    }
    TlsFiles files = access.tls().get();
    SslContextBuilder builder =
        SslContextBuilder.forServer(
                files
                    .keyManager()
                    .orElseThrow(() -> new IOException("TLS needs a certificate and its key")))
            .sslProvider(SslProvider.JDK)
            .protocols("TLSv1.3", "TLSv1.2");
    ClientAuth asked = access.controller().isPresent() ? ClientAuth.OPTIONAL : ClientAuth.REQUIRE;
    files.trustManager().ifPresent(each -> builder.trustManager(each).clientAuth(asked));
    return Optional.of(builder.build());
  }

  /** The server's base address, such as {@code http://127.0.0.1:7070}. */
  public URI uri() {
    String host = address.getAddress().getHostAddress();
    return URI.create(
        scheme + "://" + (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort());
  }

  /**
   * The state that {@code GET /v1/tier} answers; does not wait for a resize in progress.
   *
   * @throws StoreUnavailableException if the store is unavailable
   */
  public TierStatus status() throws StoreUnavailableException {
    return tier.status();
  }

  @Override
  public void close() {
    routes.close();
    var unused =
        network
            .shutdownGracefully(0, STOP_SECONDS, TimeUnit.SECONDS)
            .awaitUninterruptibly(STOP_SECONDS, TimeUnit.SECONDS);
    guard.ifPresent(GuardLoop::close);
  }
}
