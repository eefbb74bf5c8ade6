package io.dynims.mpiio;

import io.dynims.adapter.runtime.AdapterMetrics;
import io.dynims.adapter.runtime.LimitedStore;
import io.dynims.adapter.runtime.StoreReading;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import io.dynims.tier.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * The agent of a node's cache under MPI-IO. A resize takes effect at once: the programs take no
 * block above the new limit from then on. The agent evicts clean blocks a few milliseconds at a
 * time and writes dirty ones to the file system in the background, so a step is repeated until the
 * agent says that the memory is given back.
 */
final class MpiIoAgent implements LimitedStore {

  private static final Logger LOG = LogManager.getLogger(MpiIoAgent.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(2);
  private static final WireCodec<AgentStatus> STATUS = new WireCodec<>(AgentStatus.class);
  private static final WireCodec<AgentError> ERROR = new WireCodec<>(AgentError.class);

  /** How long a step waits where only blocks that are being written are left. */
  private static final long FLUSH_POLL_MILLIS = 10;

  private final MpiIoSettings settings;
  private final long maxBytes;
  private final Duration timeout;
  private volatile ControlConnection commands;

  /** Of its own, so that no reading waits for a step. */
  private volatile ControlConnection readings;

  /** Null before the first answer. */
  private volatile AgentStatus last;

  /** The bytes in use after the last step that did not arrive at its goal. */
  private long leftBytes = Long.MAX_VALUE;

  MpiIoAgent(MpiIoSettings settings, long maxBytes) {
    this(settings, maxBytes, TIMEOUT);
  }

  /**
   * An agent that is not connected yet.
   *
   * @param maxBytes the largest limit that the adapter will set
   * @param timeout how long an answer may take
   */
  MpiIoAgent(MpiIoSettings settings, long maxBytes, Duration timeout) {
    this.settings = settings;
    this.maxBytes = maxBytes;
    this.timeout = timeout;
  }

  @Override
  public void connect() throws StoreUnavailableException {
    if (isOpen(commands) && isOpen(readings)) {
      return;
    }
    close();
    try {
      readings = new ControlConnection(settings.controlSocket(), timeout);
      commands = new ControlConnection(settings.controlSocket(), timeout);
    } catch (IOException e) {
      throw away(e);
    }
    AgentStatus status = ask(readings, "status");
    if (status.maxBytes() < maxBytes) {
      LOG.warn(
          "{}: the arena holds at most {} bytes, and tier.max is {}: the tier stays below it",
          settings.controlSocket(),
          status.maxBytes(),
          maxBytes);
    }
  }

  @Override
  public StoreReading read() throws StoreUnavailableException {
    return ask(readings, "status").reading();
  }

  /** Whole blocks; the agent does the same. */
  @Override
  public long rounded(long goalBytes) {
    AgentStatus status = last;
    return status == null ? goalBytes : goalBytes / status.blockBytes() * status.blockBytes();
  }

  @Override
  public boolean step(long goalBytes) throws StoreUnavailableException, InterruptedException {
    AgentStatus status = ask(commands, "resize " + goalBytes);
    if (status.reached() == null) {
      throw notUnderstood("an answer to resize has no field reached", null);
    }
    if (status.reached()) {
      leftBytes = Long.MAX_VALUE;
      return true;
    }
    long beforeBytes = leftBytes;
    leftBytes = status.usedBytes();
    if (leftBytes >= beforeBytes) {
      TimeUnit.MILLISECONDS.sleep(FLUSH_POLL_MILLIS);
    }
    return false;
  }

  private AgentStatus ask(ControlConnection connection, String request)
      throws StoreUnavailableException {
    if (!isOpen(connection)) {
      throw new StoreUnavailableException(settings.controlSocket() + " is not connected", null);
    }
    byte[] answer;
    try {
      answer = connection.ask(request);
    } catch (IOException e) {
      throw away(e);
    }
    try {
      AgentStatus status = STATUS.decode(answer);
      last = status;
      return status;
    } catch (WireException e) {
      throw notUnderstood(refusal(answer, e.getMessage()), e);
    }
  }

  private static String refusal(byte[] answer, String otherwise) {
    try {
      return ERROR.decode(answer).error();
    } catch (WireException e) {
      return otherwise;
    }
  }

  private StoreUnavailableException notUnderstood(String why, WireException e) {
    close();
    return new StoreUnavailableException(
        settings.controlSocket()
            + " gives another answer than this adapter expects: "
            + why
            + "; install the agent and the adapter of the same version",
        e);
  }

  private StoreUnavailableException away(IOException e) {
    close();
    // Another user's directory exists, but cannot be entered.
    boolean closed =
        Files.isDirectory(settings.directory()) && !Files.isExecutable(settings.directory());
    return new StoreUnavailableException(
        settings.controlSocket()
            + " does not answer: "
            // Some, such as that of a channel that was closed, have no message.
            + (e.getMessage() == null ? e.toString() : e.getMessage())
            + (closed
                ? "; run the adapter as the agent's user"
                : "; start dynims-mpiio-agent --directory " + settings.directory()),
        e);
  }

  private static boolean isOpen(ControlConnection connection) {
    return connection != null && connection.isOpen();
  }

  @Override
  public void register(AdapterMetrics metrics) {
    reads(metrics, "hit", AgentStatus::hits);
    reads(metrics, "miss", AgentStatus::misses);
    reads(metrics, "bypass", AgentStatus::bypassedReads);
    readBytes(metrics, "hit", AgentStatus::hitBytes);
    readBytes(metrics, "miss", AgentStatus::missBytes);
    counter(
        metrics,
        "passed.through",
        "Calls that the cache has passed on to the file system",
        AgentStatus::passedThrough);
    counter(metrics, "evicted.blocks", "Blocks that were evicted", AgentStatus::evictedBlocks);
    counter(
        metrics,
        "flushed.bytes",
        "Bytes that were written to the file system",
        AgentStatus::flushedBytes);
    counter(
        metrics,
        "flush.errors",
        "Failed attempts to write to the file system",
        AgentStatus::flushErrors);
    gauge(metrics, "dirty.bytes", "Bytes that are not in their files yet", AgentStatus::dirtyBytes);
    gauge(metrics, "files", "Files with an entry in the cache", AgentStatus::files);
    gauge(metrics, "ranks", "Processes that share the cache", AgentStatus::ranks);
  }

  private void reads(AdapterMetrics metrics, String result, ToLongFunction<AgentStatus> value) {
    metrics.counter("reads", "result", result, "Reads of cached files", () -> count(value));
  }

  private void readBytes(AdapterMetrics metrics, String result, ToLongFunction<AgentStatus> value) {
    metrics.counter("read.bytes", "result", result, "Bytes of these reads", () -> count(value));
  }

  private void counter(
      AdapterMetrics metrics, String name, String what, ToLongFunction<AgentStatus> value) {
    metrics.counter(name, what, () -> count(value));
  }

  private void gauge(
      AdapterMetrics metrics, String name, String what, ToLongFunction<AgentStatus> value) {
    metrics.gauge(name, what, () -> isOpen(readings) ? count(value) : Double.NaN);
  }

  private long count(ToLongFunction<AgentStatus> value) {
    AgentStatus status = last;
    return status == null ? 0 : value.applyAsLong(status);
  }

  /** The limit stays as it is, until the agent notices that nobody asks it any more. */
  @Override
  public void close() {
    ControlConnection first = commands;
    ControlConnection second = readings;
    commands = null;
    readings = null;
    if (first != null) {
      first.close();
    }
    if (second != null) {
      second.close();
    }
  }
}
