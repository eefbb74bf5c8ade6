package io.dynims.adapter;

import java.util.ArrayList;
import java.util.List;

/**
 * Simulates a worker's tier: it evicts for each request, evicts all it can before it refuses, and
 * drops a reservation that it refuses.
 */
final class FakeStore implements Reserver {

  final long maxBytes;
  final List<Held> held = new ArrayList<>();

  /** The capacity left for data after each change. */
  final List<Long> capacities = new ArrayList<>();

  long dataBytes;
  long pinnedBytes;
  long evictedBytes;
  int refusals;
  long nowNanos;
  long nanosPerRequest;
  boolean answersLate;
  boolean misplacesNew;
  boolean endsAllAtRelease;

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

  /** Gives the pending answers. */
  void answer() {
    List.copyOf(held).forEach(Held::answer);
  }

  final class Held implements Reservation {

    private long sizeBytes;
    private long requestedBytes;
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
    public void request(long bytes) {
      if (bytes <= 0 || ended || answer == Answer.Pending) {
        throw new IllegalStateException("requested " + bytes + ", " + answer + ", ended " + ended);
      }
      nowNanos += nanosPerRequest;
      if (misplacesNew && sizeBytes == 0) {
        end();
        answer = Answer.Misplaced;
        return;
      }
      requestedBytes = bytes;
      answer = Answer.Pending;
      if (!answersLate) {
        answer();
      }
    }

    private void answer() {
      if (answer != Answer.Pending) {
        return;
      }
      long missingBytes = Math.max(0, requestedBytes - freeBytes());
      long evictBytes = Math.min(missingBytes, dataBytes - pinnedBytes);
      dataBytes -= evictBytes;
      evictedBytes += evictBytes;
      if (evictBytes < missingBytes) {
        refusals++;
        answer = Answer.Refused;
        end();
      } else {
        answer = Answer.Granted;
        sizeBytes += requestedBytes;
        capacities.add(maxBytes - reservedBytes());
      }
    }

    @Override
    public Answer awaitAnswer(long timeoutNanos) {
      return answer;
    }

    @Override
    public void release() {
      if (endsAllAtRelease) {
        List.copyOf(held).forEach(Held::end);
      }
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
