package io.dynims.adapter;

import alluxio.client.block.stream.BlockWorkerClient;
import alluxio.grpc.CreateLocalBlockRequest;
import alluxio.grpc.CreateLocalBlockResponse;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Space of an Alluxio worker, held back by a temporary block that is never written: the stream of a
 * short-circuit write, kept open. The worker drops the block when the stream ends, however it ends.
 *
 * <p>The block is created empty, which needs no eviction and tells where it lies; then it grows,
 * which the worker does within the same directory only.
 */
final class BlockReservation implements Reservation, StreamObserver<CreateLocalBlockResponse> {

  private static final Logger LOG = LogManager.getLogger(BlockReservation.class);
  private static final long RELEASE_POLL_NANOS = 50_000;

  private final long blockId;
  private final Predicate<Path> wantedPlace;
  private final Consumer<Status> onLost;
  private final ClientCallStreamObserver<CreateLocalBlockRequest> requests;

  private volatile CompletableFuture<Answer> answer = new CompletableFuture<>();
  private volatile Path file;
  private volatile long askedBytes;
  private volatile long sizeBytes;
  private volatile boolean ended;

  /**
   * Asks for an empty block at once; does not wait for it.
   *
   * @param worker the worker
   * @param blockId no other block's
   * @param wantedPlace whether a block's file lies in the tier to hold space in
   * @param onLost told when the worker can no longer be spoken to
   */
  BlockReservation(
      BlockWorkerClient worker,
      long blockId,
      Predicate<Path> wantedPlace,
      Consumer<Status> onLost) {
    this.blockId = blockId;
    this.wantedPlace = wantedPlace;
    this.onLost = onLost;
    this.requests =
        (ClientCallStreamObserver<CreateLocalBlockRequest>) worker.createLocalBlock(this);
    requests.onNext(request(0, false));
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
    synchronized (this) {
      if (!answer.isDone()) {
        throw new IllegalStateException("an earlier ask is not settled");
      }
      if (ended) {
        return;
      }
      answer = new CompletableFuture<>();
      askedBytes = bytes;
    }
    requests.onNext(request(bytes, true));
  }

  @Override
  public Answer settle(long timeoutNanos) throws InterruptedException {
    try {
      return answer.get(timeoutNanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return Answer.Pending;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void release() {
    end(Answer.Refused);
    requests.cancel("given back", null);
  }

  /** The worker unlinks the block's file as it takes the space back, and tells no one else. */
  @Override
  public void awaitReleased(long timeoutNanos) throws InterruptedException {
    long startNanos = System.nanoTime();
    while (file != null && Files.exists(file) && System.nanoTime() - startNanos < timeoutNanos) {
      LockSupport.parkNanos(RELEASE_POLL_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  @Override
  public synchronized void onNext(CreateLocalBlockResponse response) {
    if (file == null) {
      file = Path.of(response.getPath());
      if (!wantedPlace.test(file)) {
        LOG.debug("a block landed outside the tier: {}", file);
        end(Answer.Misplaced);
        requests.cancel("misplaced", null);
        return;
      }
    }
    if (!ended) {
      sizeBytes += askedBytes;
      askedBytes = 0;
    }
    answer.complete(Answer.Granted);
  }

  @Override
  public void onError(Throwable error) {
    if (ended) {
      return;
    }
    end(Answer.Refused);
    Status status = Status.fromThrowable(error);
    switch (status.getCode()) {
      case RESOURCE_EXHAUSTED -> LOG.debug("refused: {}", status.getDescription());
      case UNAVAILABLE, UNAUTHENTICATED, CANCELLED -> onLost.accept(status);
      default -> LOG.warn("the worker ended a reservation: {}", status);
    }
  }

  @Override
  public void onCompleted() {
    if (!ended) {
      end(Answer.Refused);
      LOG.warn("the worker ended a reservation");
    }
  }

  private synchronized void end(Answer last) {
    ended = true;
    sizeBytes = 0;
    answer.complete(last);
  }

  private CreateLocalBlockRequest request(long bytes, boolean grow) {
    return CreateLocalBlockRequest.newBuilder()
        .setBlockId(blockId)
        .setTier(0)
        .setSpaceToReserve(bytes)
        .setOnlyReserveSpace(grow)
        .build();
  }
}
