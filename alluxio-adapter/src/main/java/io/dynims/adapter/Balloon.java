package io.dynims.adapter;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;

/**
 * Holds a wanted number of bytes back from a store, exact to the byte, in a stack of reservations.
 *
 * <p>To hold more it asks in slices, one after the other, so that the store's readers get in
 * between its evictions. To hold less it gives back whole reservations from the top; of the last
 * one only a part is to go, so the rest of it is reserved anew, in pieces that get smaller towards
 * the top. The next small step then finds a small reservation there, and what is for a moment given
 * back or held in excess is of the size of the step, not of a slice.
 *
 * <p>That rest is reserved before the old reservation goes if the store has free room for both, so
 * that its capacity is never above the wanted one. In a full store it is reserved afterwards:
 * holding both would evict data in order to give space back.
 *
 * <p>For one thread at a time, except {@link #reservedBytes}.
 */
final class Balloon {

  /** How a resize ended. */
  enum Outcome {
    /** The wanted number of bytes is held. */
    Exact,
    /** Less is held: the store has no more that it could evict now. */
    Refused,
    /** Time was over; the next call goes on. */
    Unfinished
  }

  /** The smallest piece that a reservation is split into, and the least ask that is given up on. */
  private static final int PIECES_PER_SLICE = 32;

  private final Reserver reserver;
  private final LongSupplier freeBytes;
  private final long sliceBytes;
  private final long pieceBytes;
  private final LongSupplier nanoTime;
  private final Deque<Reservation> stack = new ArrayDeque<>();

  /** Halved by each refusal and doubled by each grant: a refused ask costs the store all it has. */
  private long askBytes;

  /** A new reservation would land in the wrong place, so the top one must grow past a slice. */
  private boolean misplaced;

  private volatile long reservedBytes;

  /**
   * An empty balloon.
   *
   * @param reserver where to reserve
   * @param freeBytes room in the store that is neither data nor reserved; an estimate
   * @param sliceBytes the most to ask for at once
   * @param nanoTime the clock behind the deadlines
   */
  Balloon(Reserver reserver, LongSupplier freeBytes, long sliceBytes, LongSupplier nanoTime) {
    this.reserver = reserver;
    this.freeBytes = freeBytes;
    this.sliceBytes = sliceBytes;
    this.pieceBytes = Math.max(1, sliceBytes / PIECES_PER_SLICE);
    this.nanoTime = nanoTime;
    this.askBytes = sliceBytes;
  }

  /** What is held, in bytes; never waits. */
  long reservedBytes() {
    return reservedBytes;
  }

  /** How many reservations it is held in. */
  int depth() {
    return stack.size();
  }

  /** Whether the store has ended a reservation on its own, so that less is held than was. */
  boolean isLeaking() {
    return stack.stream().anyMatch(Reservation::isEnded);
  }

  /**
   * Holds as much of the wanted bytes as can be had in the time.
   *
   * @param wantedBytes at least 0, at most what the store has in all
   */
  Outcome resize(long wantedBytes, long budgetNanos) throws InterruptedException {
    long deadlineNanos = nanoTime.getAsLong() + budgetNanos;
    if (!settleAll(deadlineNanos)) {
      return Outcome.Unfinished;
    }
    deflate(wantedBytes, deadlineNanos);
    return inflate(wantedBytes, deadlineNanos);
  }

  /** Gives everything back and waits until the store has it, or the time is over. */
  void releaseAll(long budgetNanos) throws InterruptedException {
    long deadlineNanos = nanoTime.getAsLong() + budgetNanos;
    stack.forEach(Reservation::release);
    for (Reservation released : stack) {
      released.awaitReleased(leftNanos(deadlineNanos));
    }
    stack.clear();
    recount();
  }

  /** Waits for answers that are still out, also to an earlier call, and forgets what has ended. */
  private boolean settleAll(long deadlineNanos) throws InterruptedException {
    boolean settled = true;
    for (Reservation each : stack) {
      settled &= each.settle(leftNanos(deadlineNanos)) != Reservation.Answer.Pending;
    }
    stack.removeIf(Reservation::isEnded);
    recount();
    return settled;
  }

  private void deflate(long wantedBytes, long deadlineNanos) throws InterruptedException {
    long excessBytes = reservedBytes - wantedBytes;
    while (excessBytes > 0 && stack.element().sizeBytes() <= excessBytes) {
      Reservation whole = stack.pop();
      excessBytes -= whole.sizeBytes();
      whole.release();
    }
    if (excessBytes > 0) {
      giveBackPart(stack.pop(), excessBytes, deadlineNanos);
    }
    recount();
  }

  private void giveBackPart(Reservation old, long excessBytes, long deadlineNanos)
      throws InterruptedException {
    long restBytes = old.sizeBytes() - excessBytes;
    if (restBytes <= freeBytes.getAsLong()) {
      reservePieces(restBytes, deadlineNanos);
      old.release();
    } else {
      old.release();
      old.awaitReleased(leftNanos(deadlineNanos));
      reservePieces(restBytes, deadlineNanos);
    }
  }

  /**
   * Asks for all pieces before it waits for the first answer. Whatever is missing afterwards is
   * made up for by {@link #inflate}.
   */
  private void reservePieces(long bytes, long deadlineNanos) throws InterruptedException {
    long leftBytes = bytes;
    while (leftBytes > 0) {
      long piece = leftBytes > pieceBytes ? (leftBytes + 1) / 2 : leftBytes;
      Reservation reservation = reserver.open();
      stack.push(reservation);
      if (reservation.settle(leftNanos(deadlineNanos)) != Reservation.Answer.Granted) {
        break;
      }
      reservation.ask(piece);
      leftBytes -= piece;
    }
    settleAll(deadlineNanos);
  }

  private Outcome inflate(long wantedBytes, long deadlineNanos) throws InterruptedException {
    if (!settleAll(deadlineNanos)) {
      return Outcome.Unfinished;
    }
    boolean refused = false;
    while (reservedBytes < wantedBytes) {
      if (leftNanos(deadlineNanos) == 0) {
        return refused ? Outcome.Refused : Outcome.Unfinished;
      }
      long ask = Math.min(wantedBytes - reservedBytes, askBytes);
      Reservation.Answer answer = roomFor(ask).grow(ask, leftNanos(deadlineNanos));
      stack.removeIf(Reservation::isEnded);
      recount();
      switch (answer) {
        case Granted -> askBytes = Math.min(sliceBytes, askBytes * 2);
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
          if (ask <= pieceBytes) {
            return Outcome.Refused;
          }
          refused = true;
          askBytes = Math.max(pieceBytes, ask / 2);
        }
      }
    }
    return Outcome.Exact;
  }

  /** The top reservation while it stays within a slice, so that the stack stays short. */
  private Reservation roomFor(long ask) {
    Reservation top = stack.peek();
    // While asks are being refused a new one is risked, not one that already holds something.
    boolean risky = askBytes < sliceBytes;
    if (top != null && (misplaced || (!risky && top.sizeBytes() + ask <= sliceBytes))) {
      misplaced = false;
      return top;
    }
    Reservation reservation = reserver.open();
    stack.push(reservation);
    return reservation;
  }

  private long leftNanos(long deadlineNanos) {
    return Math.max(0, deadlineNanos - nanoTime.getAsLong());
  }

  private void recount() {
    reservedBytes = stack.stream().mapToLong(Reservation::sizeBytes).sum();
  }
}
