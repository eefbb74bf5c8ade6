package io.dynims.adapter;

import java.util.ArrayList;
import java.util.List;

/**
 * A store that is only numbers and behaves as a worker's tier: it evicts for who asks, all it can
 * before it refuses, and drops a reservation that it has to refuse.
 */
final class FakeStore implements Reserver {

  final long maxBytes;
  final List<Held> held = new ArrayList<>();

  /** The capacity left to data after each change. */
  final List<Long> capacities = new ArrayList<>();

  long dataBytes;
  long pinnedBytes;
  long evictedBytes;
  int refusals;
  long nowNanos;
  long nanosPerAsk;
  boolean answersLate;
  boolean misplacesNew;

  FakeStore(long maxBytes) {
    this.maxBytes = maxBytes;
  }

  @Override
  public Reservation open() {
    return new Held();
  }

  long reservedBytes() {
    return held.stream().mapToLong(each -> each.sizeBytes).sum();
  }

  long freeBytes() {
    return maxBytes - reservedBytes() - dataBytes;
  }

  void fill() {
    dataBytes = maxBytes - reservedBytes();
  }

  /** Gives the answers that were withheld. */
  void answer() {
    List.copyOf(held).forEach(Held::answer);
  }

  final class Held implements Reservation {

    private long sizeBytes;
    private long askedBytes;
    private boolean ended;
    private Answer answer = Answer.Granted;

    Held() {
      held.add(this);
    }

    @Override
    public long sizeBytes() {
      return sizeBytes;
    }

    @Override
    public boolean isEnded() {
      return ended;
    }

    @Override
    public void ask(long bytes) {
      if (bytes <= 0 || ended || answer == Answer.Pending) {
        throw new IllegalStateException("asked for " + bytes + ", " + answer + ", ended " + ended);
      }
      nowNanos += nanosPerAsk;
      if (misplacesNew && sizeBytes == 0) {
        end();
        answer = Answer.Misplaced;
        return;
      }
      askedBytes = bytes;
      answer = Answer.Pending;
      if (!answersLate) {
        answer();
      }
    }

    private void answer() {
      if (answer != Answer.Pending) {
        return;
      }
      long missingBytes = Math.max(0, askedBytes - freeBytes());
      long evictBytes = Math.min(missingBytes, dataBytes - pinnedBytes);
      dataBytes -= evictBytes;
      evictedBytes += evictBytes;
      if (evictBytes < missingBytes) {
        refusals++;
        answer = Answer.Refused;
        end();
      } else {
        answer = Answer.Granted;
        sizeBytes += askedBytes;
        capacities.add(maxBytes - reservedBytes());
      }
    }

    @Override
    public Answer settle(long timeoutNanos) {
      return answer;
    }

    @Override
    public void release() {
      end();
    }

    @Override
    public void awaitReleased(long timeoutNanos) {}

    void end() {
      ended = true;
      sizeBytes = 0;
      held.remove(this);
      capacities.add(maxBytes - reservedBytes());
    }
  }
}
