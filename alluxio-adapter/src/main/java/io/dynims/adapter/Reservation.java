package io.dynims.adapter;

/** Space held back from a store. It can grow, and is given back as a whole. */
interface Reservation {

  /** How an ask ended. */
  enum Answer {
    /** The space is held. */
    Granted,
    /** There is not that much to be had; this reservation has ended and holds nothing. */
    Refused,
    /** It lies in the wrong place; this reservation has ended and holds nothing. */
    Misplaced,
    /** The store has not answered in time; the next ask, or {@link #settle}, waits on. */
    Pending
  }

  /** What it holds, in bytes; 0 once it has ended. Never waits. */
  long sizeBytes();

  /** Whether the store has ended it, whoever asked for that. Never waits. */
  boolean isEnded();

  /**
   * Asks for more; does not wait. The store may first evict data to have it.
   *
   * @param bytes more than 0
   * @throws IllegalStateException when an earlier ask is not settled
   */
  void ask(long bytes);

  /** Asks for more and waits for the answer, as long as an earlier one leaves something to ask. */
  default Answer grow(long bytes, long timeoutNanos) throws InterruptedException {
    Answer earlier = settle(timeoutNanos);
    if (earlier != Answer.Granted) {
      return earlier;
    }
    ask(bytes);
    return settle(timeoutNanos);
  }

  /** Waits for the answer to an earlier ask, if one is pending; {@code Granted} if none is. */
  Answer settle(long timeoutNanos) throws InterruptedException;

  /** Gives everything back; does not wait. */
  void release();

  /** After a release: waits until the store has the space, or the time is over. */
  void awaitReleased(long timeoutNanos) throws InterruptedException;
}
