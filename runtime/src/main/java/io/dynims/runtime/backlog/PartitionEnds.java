package io.dynims.runtime.backlog;

import io.dynims.core.node.SendOnDelta;
import io.dynims.core.wire.Policy;
import java.util.ArrayDeque;

/**
 * Where a partition of a topic ended at recent times. It tells a reader how long a message has
 * waited: one that lies before the end of t ms ago has waited for at least t ms. Only the reader's
 * own clock counts for that; the timestamps of messages come from the clocks of many nodes.
 *
 * <p>A message that has waited for {@value #OUTDATED_MILLIS} ms is not worth reading, because what
 * it tells is refused as stale or was replaced by a newer one. A reader that finds one goes on
 * where the partition ended {@value #RECENT_MILLIS} ms ago, with what is the newest of every node.
 * Thread-safe: one thread may note ends while another one reads.
 */
public final class PartitionEnds {

  /**
   * The waiting time above which messages are skipped. A sample and its target wait one after the
   * other, and the target is refused once the sample is {@link Policy#DEFAULT_STALE_AFTER_MILLIS}
   * old.
   */
  public static final long OUTDATED_MILLIS = 750;

  /** The time without a note after which nobody knows when a message came. */
  public static final long STOOD_STILL_MILLIS = Policy.DEFAULT_STALE_AFTER_MILLIS;

  /** The waiting time of the oldest message that is not skipped then: a heartbeat of a node. */
  public static final long RECENT_MILLIS = SendOnDelta.DEFAULT_HEARTBEAT_MILLIS;

  /** The time between two notes. */
  public static final long NOTE_MILLIS = 250;

  private record Note(long endOffset, long millis) {}

  /** Those of the last {@value #OUTDATED_MILLIS} ms, the oldest first. */
  private final ArrayDeque<Note> notes = new ArrayDeque<>();

  private long outdatedEndOffset;
  private long recentEndOffset;
  private long nextOffset;

  /**
   * Notes where the partition ends now.
   *
   * @param endOffset the offset of the next message that will be written
   * @param nowMillis the time when that was learned, from any origin
   */
  public synchronized void note(long endOffset, long nowMillis) {
    Note last = notes.peekLast();
    if (last != null && endOffset < last.endOffset) {
      // The topic was deleted and created again.
      notes.clear();
      outdatedEndOffset = 0;
      recentEndOffset = 0;
      nextOffset = 0;
    } else if (last != null && nowMillis - last.millis > STOOD_STILL_MILLIS) {
      // This program stood still, or the broker was away.
      notes.clear();
      outdatedEndOffset = endOffset;
      recentEndOffset = endOffset;
    }
    notes.addLast(new Note(endOffset, nowMillis));
    for (Note note : notes) {
      long ageMillis = nowMillis - note.millis;
      outdatedEndOffset = ageMillis >= OUTDATED_MILLIS ? note.endOffset : outdatedEndOffset;
      recentEndOffset = ageMillis >= RECENT_MILLIS ? note.endOffset : recentEndOffset;
    }
    notes.removeIf(note -> nowMillis - note.millis >= OUTDATED_MILLIS);
  }

  /**
   * The offset at which a reader goes on that has come to this one: the same, or a later one if the
   * messages up to there are to be skipped.
   */
  public synchronized long next(long offset) {
    if (offset < outdatedEndOffset) {
      nextOffset = recentEndOffset;
    }
    return Math.max(offset, nextOffset);
  }
}
