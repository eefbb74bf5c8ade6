package io.dynims.adapter;

/** Space held back from a store. A reservation can grow; it is released as a whole. */
interface Reservation {

  /** How a request for space ended. */
  enum Answer {
    /** The space is reserved. */
    Granted,
    /** The store cannot free that much; this reservation has ended and holds nothing. */
    Refused,
    /** The space lies in the wrong place; this reservation has ended and holds nothing. */
    Misplaced,
    /** The store has not answered yet; {@link #awaitAnswer} can be called again. */
    Pending
  }

  /** The reserved bytes; 0 once the reservation has ended. Never waits. */
  long sizeBytes();

  /** Whether the reservation has ended: released here, or ended by the store. Never waits. */
  boolean isEnded();

  /**
   * Requests more space and does not wait. The store may evict data for it.
   *
   * @param bytes at least 0
   * @throws IllegalStateException if an earlier request is still pending
   */
  void request(long bytes);

  /** Waits for a pending request, then requests more space and waits for the answer. */
  default Answer grow(long bytes, long timeoutNanos) throws InterruptedException {
    Answer earlier = awaitAnswer(timeoutNanos);
    if (earlier != Answer.Granted) {
      return earlier;
    }
    request(bytes);
    return awaitAnswer(timeoutNanos);
  }

  /** Waits for the answer to the last request; {@code Granted} if there was none. */
  Answer awaitAnswer(long timeoutNanos) throws InterruptedException;

  /** Returns all of the space to the store; does not wait. */
  void release();

  /** After {@link #release}: waits until the store has the space, or the time is up. */
  void awaitReleased(long timeoutNanos) throws InterruptedException;
}
