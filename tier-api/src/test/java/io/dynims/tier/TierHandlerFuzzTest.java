package io.dynims.tier;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.dynims.core.fuzz.SeedCorpus;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import io.dynims.core.wire.Unpersisted;
import io.dynims.runtime.auth.TokenFile;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.CodecException;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpServerCodec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that sends any bytes to the whole server but its threads and its socket. */
class TierHandlerFuzzTest {

  private static final String TOKEN = "a-token-of-this-test";
  private static final long MIN_BYTES = 1_000;
  private static final long MAX_BYTES = 5_000;
  private static final Clock CLOCK =
      Clock.fixed(Instant.ofEpochMilli(1_800_000_000_000L), ZoneOffset.UTC);
  private static final InetSocketAddress LISTENING =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  /** 500 is never an answer. */
  private static final Set<Integer> STATUSES =
      Set.of(200, 202, 400, 401, 403, 404, 405, 409, 421, 503);

  /** Netty's, to requests that do not get to the handler. They overtake answers before them. */
  private static final Set<Integer> OF_NETTY = Set.of(100, 413, 417);

  /** Being answered, and waiting. */
  private static final int MOST_AT_ONCE = 17;

  @TempDir private Path folder;
  @AutoClose private TokenFile known;
  @AutoClose private TokenFile unknown;

  /** Keeps tasks until the test runs them, so that requests wait for each other. */
  private static final class KeptTasks extends AbstractExecutorService {

    private final Queue<Runnable> tasks = new ArrayDeque<>();

    @Override
    public void execute(Runnable task) {
      tasks.add(task);
    }

    void runAll(EmbeddedChannel channel) {
      for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
        task.run();
        channel.runPendingTasks();
      }
    }

    @Override
    public void shutdown() {}

    @Override
    public List<Runnable> shutdownNow() {
      return List.of();
    }

    @Override
    public boolean isShutdown() {
      return false;
    }

    @Override
    public boolean isTerminated() {
      return false;
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) {
      return true;
    }
  }

  /** Counts what changes a tier, and checks each capacity. */
  private static final class WatchedStore implements TierStore {

    private final InMemoryTierStore store = new InMemoryTierStore("t", MIN_BYTES, MAX_BYTES);
    private int changes;

    @Override
    public TierStatus status() throws StoreUnavailableException {
      return store.status();
    }

    @Override
    public TierStatus resize(long desiredBytes) throws StoreUnavailableException {
      changes++;
      TierStatus status = store.resize(desiredBytes);
      assertThat(status.capacityBytes()).isBetween(MIN_BYTES, MAX_BYTES);
      return status;
    }

    @Override
    public void setUnpersisted(Unpersisted unpersisted) {
      changes++;
    }
  }

  /** Counts requests as the handler gets them, and sees what Netty cannot decode. */
  private static final class RequestCounter extends ChannelInboundHandlerAdapter {

    private int requests;
    private boolean broken;
    private Throwable unexpected;

    /** Netty cannot decode every length, and the connection then ends. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) throws Exception {
      broken |= cause instanceof CodecException;
      if (!(cause instanceof CodecException || cause instanceof IOException)) {
        unexpected = cause;
      }
      super.exceptionCaught(context, cause);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) throws Exception {
      requests += message instanceof FullHttpRequest ? 1 : 0;
      super.channelRead(context, message);
    }
  }

  /** Keeps answers before they become bytes; Netty would swallow what a check throws here. */
  private static final class KeptAnswers extends ChannelOutboundHandlerAdapter {

    private final List<Integer> statuses = new ArrayList<>();
    private final IdentityHashMap<byte[], Integer> problems = new IdentityHashMap<>();

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise)
        throws Exception {
      FullHttpResponse response = (FullHttpResponse) message;
      statuses.add(response.status().code());
      if ("application/problem+json".equals(response.headers().get("Content-Type"))
          && response.content().isReadable()) {
        problems.put(ByteBufUtil.getBytes(response.content()), response.status().code());
      }
      super.write(context, message, promise);
    }
  }

  /**
   * What came of some bytes.
   *
   * @param requests how many whole requests there were in them
   * @param broken whether Netty could not decode what followed them
   * @param changes how often the store was told to change
   */
  private record Result(
      int requests,
      boolean broken,
      List<Integer> statuses,
      boolean open,
      int changes,
      long capacityBytes) {

    List<Integer> ownStatuses() {
      return statuses.stream().filter(status -> !OF_NETTY.contains(status)).toList();
    }
  }

  @BeforeEach
  void writeTokens() throws Exception {
    known = TokenFile.open(Files.writeString(folder.resolve("known"), TOKEN));
    unknown =
        TokenFile.open(Files.writeString(folder.resolve("unknown"), UUID.randomUUID().toString()));
  }

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/dynims/tier/http.dict")
  void everyRequestIsAnsweredAndOnlyATokenChangesTheTier(byte[] sent) throws Exception {
    check(sent);
  }

  @Test
  void keptInputsAreRefusedOrAccepted() throws Exception {
    SeedCorpus.requireBothOutcomes(
        getClass(), "everyRequestIsAnsweredAndOnlyATokenChangesTheTier", this::check);
  }

  private Outcome check(byte[] sent) throws Exception {
    Result whole = send(known, sent, sent.length);
    requireAnswers(whole);
    Result parts = send(known, sent, sent.length / 2);
    requireAnswers(parts);
    if (whole.open() && whole.requests() <= MOST_AT_ONCE) {
      assertThat(parts.ownStatuses()).as("statuses in two parts").isEqualTo(whole.ownStatuses());
      assertThat(parts.capacityBytes()).isEqualTo(whole.capacityBytes());
    }
    if (whole.changes() == 0) {
      assertThat(whole.capacityBytes()).isEqualTo(MAX_BYTES);
      return Outcome.Refused;
    }
    assertThat(new String(sent, ISO_8859_1)).contains(TOKEN);
    assertThat(send(unknown, sent, sent.length).changes()).as("with another token").isZero();
    return Outcome.Accepted;
  }

  private static void requireAnswers(Result result) {
    List<Integer> own = result.ownStatuses();
    assertThat(STATUSES).containsAll(own);
    int answers = own.size();
    if (result.requests() > 0 && result.requests() <= MOST_AT_ONCE && !result.broken()) {
      assertThat(result.statuses()).as("answers").isNotEmpty();
    }
    if (result.open() && result.requests() <= MOST_AT_ONCE) {
      assertThat(answers).as("answers of an open connection").isEqualTo(result.requests());
    }
  }

  private static Result send(TokenFile tokens, byte[] sent, int first) throws Exception {
    WatchedStore store = new WatchedStore();
    LeasedTier tier = new LeasedTier(store, GuardSettings.none(), CLOCK, () -> 0);
    KeptTasks tasks = new KeptTasks();
    TierRoutes routes = new TierRoutes(tier, Optional.empty(), tasks, tasks);
    Connections connections = new Connections(2);
    TierHandler handler =
        new TierHandler(routes, TierAccess.holdersOf(tokens), connections, LISTENING);
    EmbeddedChannel channel = new EmbeddedChannel(connections);
    channel.config().setAllocator(new UnpooledByteBufAllocator(false));
    try {
      TierServer.addHttp(channel, ServerLimits.DEFAULT, handler);
      RequestCounter counter = new RequestCounter();
      KeptAnswers answers = new KeptAnswers();
      ChannelPipeline pipeline = channel.pipeline();
      pipeline.addBefore(pipeline.lastContext().name(), null, counter);
      pipeline.addAfter(pipeline.context(HttpServerCodec.class).name(), null, answers);
      write(channel, sent, 0, first);
      tasks.runAll(channel);
      write(channel, sent, first, sent.length);
      tasks.runAll(channel);
      channel.checkException();
      assertThat(counter.unexpected).isNull();
      for (var problem : answers.problems.entrySet()) {
        assertThat(TierApi.PROBLEM.decode(problem.getKey()).status()).isEqualTo(problem.getValue());
      }
      long capacityBytes = store.status().capacityBytes();
      return new Result(
          counter.requests,
          counter.broken,
          List.copyOf(answers.statuses),
          channel.isOpen(),
          store.changes,
          capacityBytes);
    } finally {
      // What was written is on the heap, and an embedded channel may hold it twice.
      var unused = channel.close();
    }
  }

  private static void write(EmbeddedChannel channel, byte[] sent, int from, int to) {
    if (from < to && channel.isOpen()) {
      channel.writeInbound(Unpooled.copiedBuffer(sent, from, to - from));
    }
  }
}
