package io.dynims.adapter;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/**
 * Reserves a target number of bytes in a store, exact to the byte, with a stack of reservations.
 *
 * <p>To reserve more, it requests slices one after the other, so that the store's readers get in
 * between evictions. Small steps are requested in parts of a slice, which delays readers less; only
 * large steps need the rate of whole slices. To reserve less, it releases whole reservations from
 * the top. If only a part of the last one has to go, the rest of it is reserved again, in pieces
 * that get smaller towards the top. The next small step then finds a small reservation there, and
 * the error on the way is of the size of the step, not of a slice.
 *
 * <p>If the store has free space for it, the rest is reserved before the old reservation is
 * released, so the capacity never exceeds the desired one. In a full store it is reserved
 * afterwards: holding both would evict data in order to give space back.
 *
 * <p>Not thread-safe, except {@link #reservedBytes}.
 */
final class Balloon {

  /** How a resize ended. */
  enum Outcome {
    /** The target is reserved. */
    Exact,
    /** Less is reserved: the store cannot evict more now. */
    Refused,
    /** The time was up, or others wait for the store; the next call continues. */
    Unfinished
  }

  /** Sets the smallest piece of a split reservation, and the smallest request after refusals. */
  private static final int PIECES_PER_SLICE = 32;

  /** A step is split into so many requests, unless that makes them too small or too large. */
  private static final int REQUESTS_PER_STEP = 8;

  /** The smallest of these requests is a slice divided by this; the largest is a slice. */
  private static final int REQUESTS_PER_SLICE = 4;

  private final Reserver reserver;
  private final LongSupplier freeBytes;
  private final long sliceBytes;
  private final long pieceBytes;
  private final LongSupplier nanoTime;
  private final Deque<Reservation> stack = new ArrayDeque<>();

  /**
   * The size of the next request: halved by each refusal and doubled by each grant, because a
   * refused request costs the store all that it can evict.
   */
  private long requestBytes;

  /** A new reservation would lie in the wrong place, so the top one must grow beyond a slice. */
  private boolean misplaced;

  private volatile long reservedBytes;

  /**
   * An empty balloon.
   *
   * @param reserver opens the reservations
   * @param freeBytes estimates the space in the store that is neither data nor reserved
   * @param sliceBytes the most to request at once
   * @param nanoTime the clock of the deadlines
   */
  Balloon(Reserver reserver, LongSupplier freeBytes, long sliceBytes, LongSupplier nanoTime) {
    this.reserver = reserver;
    this.freeBytes = freeBytes;
    this.sliceBytes = sliceBytes;
    this.pieceBytes = Math.max(1, sliceBytes / PIECES_PER_SLICE);
    this.nanoTime = nanoTime;
    this.requestBytes = sliceBytes;
  }

  /** The reserved bytes; never waits. */
  long reservedBytes() {
    return reservedBytes;
  }

  /** The number of reservations. */
  int depth() {
    return stack.size();
  }

  /** Whether the store ended a reservation by itself, so that less is reserved than before. */
  boolean hasLostReservations() {
    return stack.stream().anyMatch(Reservation::isEnded);
  }

  /** Stops counting what the store ended by itself. */
  void dropEnded() {
    stack.removeIf(Reservation::isEnded);
    recount();
  }

  /**
   * Reserves as much of the target as is possible within the time.
   *
   * @param targetReservedBytes at least 0, at most the store's maximum capacity
   */
  Outcome resize(long targetReservedBytes, long budgetNanos) throws InterruptedException {
    return resize(targetReservedBytes, budgetNanos, () -> false);
  }

  /**
   * Reserves as much of the target as is possible within the time.
   *
   * @param targetReservedBytes at least 0, at most the store's maximum capacity
   * @param preempted asked before each slice; once it is true, no further one is requested
   */
  Outcome resize(long targetReservedBytes, long budgetNanos, BooleanSupplier preempted)
      throws InterruptedException {
    long deadlineNanos = nanoTime.getAsLong() + budgetNanos;
    if (!awaitAnswers(deadlineNanos)) {
      return Outcome.Unfinished;
    }
    deflate(targetReservedBytes, deadlineNanos);
    return inflate(targetReservedBytes, deadlineNanos, preempted);
  }

  /** Releases everything and waits until the store has the space, or the time is up. */
  void releaseAll(long budgetNanos) throws InterruptedException {
    long deadlineNanos = nanoTime.getAsLong() + budgetNanos;
    stack.forEach(Reservation::release);
    for (Reservation released : stack) {
      released.awaitReleased(remainingNanos(deadlineNanos));
    }
    stack.clear();
    recount();
  }

  /**
   * Waits for pending answers, also of an earlier call, and drops reservations that have ended.
   *
   * @return whether no answer is pending any more
   */
  private boolean awaitAnswers(long deadlineNanos) throws InterruptedException {
    boolean complete = true;
    for (Reservation each : stack) {
      complete &= each.awaitAnswer(remainingNanos(deadlineNanos)) != Reservation.Answer.Pending;
    }
    dropEnded();
    return complete;
  }

  private void deflate(long targetReservedBytes, long deadlineNanos) throws InterruptedException {
    long excessBytes = reservedBytes - targetReservedBytes;
    while (excessBytes > 0 && !stack.isEmpty()) {
      Reservation top = stack.pop();
      long topBytes = top.sizeBytes(); // 0 if the store has just ended it.
      if (topBytes <= excessBytes) {
        top.release();
      } else {
        releasePart(top, topBytes - excessBytes, deadlineNanos);
      }
      excessBytes -= topBytes;
    }
    recount();
  }

  private void releasePart(Reservation old, long restBytes, long deadlineNanos)
      throws InterruptedException {
    if (restBytes <= freeBytes.getAsLong()) {
      reservePieces(restBytes, deadlineNanos);
      old.release();
    } else {
      old.release();
      old.awaitReleased(remainingNanos(deadlineNanos));
      reservePieces(restBytes, deadlineNanos);
    }
  }

  /**
   * Requests all pieces before it waits for the first answer. {@link #inflate} makes up for what is
   * missing afterwards.
   */
  private void reservePieces(long bytes, long deadlineNanos) throws InterruptedException {
    long remainingBytes = bytes;
    while (remainingBytes > 0) {
      long piece = remainingBytes > pieceBytes ? (remainingBytes + 1) / 2 : remainingBytes;
      Reservation reservation = reserver.open();
      stack.push(reservation);
      if (reservation.awaitAnswer(remainingNanos(deadlineNanos)) != Reservation.Answer.Granted) {
        break;
      }
      reservation.request(piece);
      remainingBytes -= piece;
    }
    awaitAnswers(deadlineNanos);
  }

  private Outcome inflate(long targetReservedBytes, long deadlineNanos, BooleanSupplier preempted)
      throws InterruptedException {
    if (!awaitAnswers(deadlineNanos)) {
      return Outcome.Unfinished;
    }
    long mostBytes = mostAtOnce(targetReservedBytes - reservedBytes);
    boolean refused = false;
    while (reservedBytes < targetReservedBytes) {
      if (remainingNanos(deadlineNanos) == 0 || preempted.getAsBoolean()) {
        return refused ? Outcome.Refused : Outcome.Unfinished;
      }
      long missingBytes = targetReservedBytes - reservedBytes;
      long bytes = Math.min(missingBytes, Math.min(mostBytes, requestBytes));
      Reservation.Answer answer = reservationFor(bytes).grow(bytes, remainingNanos(deadlineNanos));
      dropEnded();
      switch (answer) {
        case Granted -> requestBytes = Math.min(sliceBytes, requestBytes * 2);
        case Pending -> {
          return refused ? Outcome.Refused : Outcome.Unfinished;
        }
        case Misplaced -> {
          if (stack.isEmpty()) {
            return Outcome.Refused;
          }
          misplaced = true;
        }
        case Refused -> {
          if (bytes <= pieceBytes) {
            return Outcome.Refused;
          }
          refused = true;
          requestBytes = Math.max(pieceBytes, bytes / 2);
        }
      }
    }
    return Outcome.Exact;
  }

  /** The most to request at once during a step of so many bytes. */
  private long mostAtOnce(long stepBytes) {
    return Math.min(
        sliceBytes, Math.max(sliceBytes / REQUESTS_PER_SLICE, stepBytes / REQUESTS_PER_STEP));
  }

  /**
   * The reservation to grow: the top one while it stays within a slice, to keep the stack short.
   */
  private Reservation reservationFor(long bytes) {
    Reservation top = stack.peek();
    // A refusal ends the reservation, so while requests are refused, risk an empty one.
    boolean risky = requestBytes < sliceBytes;
    if (top != null && (misplaced || (!risky && top.sizeBytes() + bytes <= sliceBytes))) {
      misplaced = false;
      return top;
    }
    Reservation reservation = reserver.open();
    stack.push(reservation);
    return reservation;
  }

  private long remainingNanos(long deadlineNanos) {
    return Math.max(0, deadlineNanos - nanoTime.getAsLong());
  }

  private void recount() {
    reservedBytes = stack.stream().mapToLong(Reservation::sizeBytes).sum();
  }
}
