package io.dynims.adapter;

import alluxio.util.IdUtils;
import io.dynims.core.wire.Unpersisted;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Knows which blocks of a tier exist nowhere else, and keeps the worker from evicting them.
 *
 * <p>The names of a tier's files are block ids, which contain file ids. A thread of its own lists
 * the directory five times a second if it has changed, and asks for the states of new files. A
 * persisted file stays persisted; the others are asked for again every second, at most {@link
 * HeldBlocks#MAX} of them at a time. A file whose state is unknown counts as unpersisted. While the
 * directory cannot be listed, what was found stays held, and nothing at all is evicted.
 *
 * <p>A floor under the capacity alone would not keep a certain block, since the worker evicts in
 * its own order. So each unpersisted block is held as if it were being read. Held blocks take locks
 * of a pool that the worker's readers share, so if there are more than {@link HeldBlocks#MAX}, the
 * rest is protected in another way: nothing at all is evicted.
 */
final class UnpersistedBlocks implements AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(UnpersistedBlocks.class);
  private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
  private static final long ASK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long STOP_MILLIS = 2_000;

  /** A round's pause is at least this many times as long as the round. */
  private static final int PAUSE_PER_COST = 10;

  /**
   * What a round found.
   *
   * @param bytes the sum of the blocks that exist nowhere else, as far as is known
   * @param listedMillis when the directory was listed
   * @param blocks all that were listed, by id, with their sizes
   * @param holds one for each of the blocks that exist nowhere else; null if some have none
   */
  private record Found(long bytes, long listedMillis, Map<Long, Long> blocks, List<Hold> holds) {}

  private final BlockListing listing;
  private final Supplier<OptionalLong> usedBytes;
  private final FileStates states;
  private final Runnable onChange;
  private final LongSupplier nanoTime;
  private final Thread thread = new Thread(this::run, "tier-unpersisted");

  /** Sizes of all blocks in bytes, by block id. */
  private Map<Long, Long> blocks = Map.of();

  /** Files that can be evicted: persisted, or deleted. */
  private final Set<Long> safeFiles = new HashSet<>();

  /** All others, those asked for longest ago first; true if known to be unpersisted. */
  private final Map<Long, Boolean> openFiles = new LinkedHashMap<>();

  private final HeldBlocks held;
  private long listedMillis;
  private long askedNanos;
  private boolean tooMany;

  /** Null before the first round. */
  private volatile Found found;

  /** Whether the directory could not be listed in the last round. */
  private volatile boolean unlisted;

  private volatile Unpersisted policy = Unpersisted.Protect;
  private volatile boolean roundRequested;
  private volatile boolean stopped;

  /**
   * Knows nothing before {@link #start}.
   *
   * @param listing lists the tier's directory
   * @param usedBytes what the tier holds; empty while that is unknown
   * @param holder opens a hold in the worker
   * @param onChange called when more or less may be evicted than before
   * @param nanoTime when to ask again
   */
  UnpersistedBlocks(
      BlockListing listing,
      Supplier<OptionalLong> usedBytes,
      FileStates states,
      HeldBlocks.Holder holder,
      Runnable onChange,
      LongSupplier nanoTime) {
    this.listing = listing;
    this.usedBytes = usedBytes;
    this.states = states;
    this.held = new HeldBlocks(holder);
    this.onChange = onChange;
    this.nanoTime = nanoTime;
    this.askedNanos = nanoTime.getAsLong();
    thread.setDaemon(true);
  }

  /** Waits for a first round, and starts the thread. */
  void start() {
    round();
    thread.start();
  }

  /** Sets what happens to unpersisted blocks. */
  void setPolicy(Unpersisted newPolicy) {
    if (newPolicy != policy) {
      LOG.info("data that exists only in the tier: {}", newPolicy);
      policy = newPolicy;
      requestRound();
      onChange.run();
    }
  }

  /** Opens lost holds again soon; never waits. */
  void requestRound() {
    roundRequested = true;
    LockSupport.unpark(thread);
  }

  /** What of the data exists nowhere else, known or assumed; null while it is unknown. */
  Long unpersistedBytes() {
    Found last = found;
    return last == null || unlisted ? null : (Long) last.bytes();
  }

  /**
   * The smallest capacity that loses nothing; never waits for the store. A block that is new since
   * the last round counts as unpersisted. It is not held yet, but the worker evicts the newest ones
   * last.
   *
   * @param capacityBytes the capacity in force, which is the floor while nothing is known
   */
  long floorBytes(long capacityBytes) {
    if (policy == Unpersisted.Evict) {
      return 0;
    }
    if (unlisted) {
      return capacityBytes;
    }
    Found last = found;
    if (last == null || last.holds() == null || !last.holds().stream().allMatch(Hold::isHeld)) {
      return usedBytes.get().orElse(capacityBytes);
    }
    try {
      return last.bytes() + listing.newBytes(last.blocks(), last.listedMillis());
    } catch (IOException e) {
      return capacityBytes;
    }
  }

  /** Stops the thread and releases all holds, unless the thread does not end in time. */
  @Override
  public void close() throws InterruptedException {
    stopped = true;
    thread.interrupt(); // It may be waiting for the master.
    thread.join(STOP_MILLIS);
    if (!thread.isAlive()) {
      held.releaseAll();
    }
  }

  private void run() {
    while (!stopped) {
      long startNanos = System.nanoTime();
      try {
        round();
      } catch (RuntimeException e) {
        LOG.error("looking for unpersisted blocks failed, will retry", e);
      }
      long costNanos = System.nanoTime() - startNanos;
      LockSupport.parkNanos(this, Math.max(POLL_NANOS, PAUSE_PER_COST * costNanos));
    }
  }

  /** Lists and asks as far as it is due. */
  synchronized void round() {
    long nowNanos = nanoTime.getAsLong();
    boolean changed = unlisted || listing.hasChanged();
    boolean due = !openFiles.isEmpty() && nowNanos - askedNanos >= ASK_NANOS;
    if (stopped || (!changed && !due && !roundRequested && found != null)) {
      return;
    }
    if ((changed || found == null) && !list()) {
      return;
    }
    roundRequested = false;
    int asked = ask(due);
    publish();
    LOG.debug(
        "{} blocks, {} files asked for, {} us",
        blocks.size(),
        asked,
        TimeUnit.NANOSECONDS.toMicros(nanoTime.getAsLong() - nowNanos));
  }

  /** False if the directory cannot be listed. */
  private boolean list() {
    long nowMillis = System.currentTimeMillis();
    try {
      blocks = listing.list();
    } catch (IOException e) {
      setUnlisted(true, FolderListing.reason(e));
      return false;
    }
    setUnlisted(false, "");
    listedMillis = nowMillis;
    Set<Long> files = new HashSet<>();
    blocks.keySet().forEach(block -> files.add(IdUtils.fileIdFromBlockId(block)));
    safeFiles.retainAll(files);
    openFiles.keySet().retainAll(files);
    files.removeAll(safeFiles);
    files.forEach(file -> openFiles.putIfAbsent(file, false));
    return true;
  }

  private void setUnlisted(boolean now, String reason) {
    if (now != unlisted && found != null) { // Before that, the connection reports it.
      LOG.warn(
          "what the tier holds is {}",
          now ? "unknown, so nothing is evicted: " + reason : "known again");
    }
    unlisted = now;
  }

  /** Asks for the files whose state is unknown and, if it is due, for unpersisted ones again. */
  private int ask(boolean due) {
    List<Long> ids = new ArrayList<>();
    int again = 0;
    for (Map.Entry<Long, Boolean> file : openFiles.entrySet()) {
      boolean known = file.getValue();
      if (!known || (due && again < HeldBlocks.MAX)) {
        ids.add(file.getKey());
        again += known ? 1 : 0;
      }
    }
    if (due) {
      askedNanos = nanoTime.getAsLong();
    }
    if (ids.isEmpty()) {
      return 0;
    }
    states
        .ask(ids)
        .forEach(
            (file, state) -> {
              openFiles.remove(file);
              if (state == FileStates.State.Unpersisted) {
                openFiles.put(file, true); // Now at the end.
              } else {
                safeFiles.add(file);
              }
            });
    return ids.size();
  }

  private void publish() {
    Set<Long> open = new HashSet<>();
    long bytes = 0;
    if (!openFiles.isEmpty()) {
      for (Map.Entry<Long, Long> block : blocks.entrySet()) {
        if (openFiles.containsKey(IdUtils.fileIdFromBlockId(block.getKey()))) {
          open.add(block.getKey());
          bytes += block.getValue();
        }
      }
    }
    List<Hold> holds = null;
    if (policy == Unpersisted.Protect) {
      holds = held.update(open);
    } else {
      held.releaseAll();
    }
    if (tooMany != open.size() > HeldBlocks.MAX) {
      tooMany = !tooMany;
      LOG.info(
          "{} blocks exist only in the tier; at most {} are held", open.size(), HeldBlocks.MAX);
    }
    Found before = found;
    found = new Found(bytes, listedMillis, blocks, holds);
    if (before == null || before.bytes() != bytes || (before.holds() == null) != (holds == null)) {
      onChange.run();
    }
  }
}
