package io.dynims.adapter;

import alluxio.client.block.stream.BlockWorkerClient;
import alluxio.grpc.CreateLocalBlockRequest;
import alluxio.grpc.CreateLocalBlockResponse;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Space of an Alluxio worker, reserved by the open stream of a short-circuit write whose temporary
 * block is never written. The worker drops the block when the stream ends, for whatever reason.
 *
 * <p>The block is created empty, which needs no eviction and shows where the block lies. Then it
 * grows; the worker grows a block only within its directory.
 */
final class BlockReservation implements Reservation, StreamObserver<CreateLocalBlockResponse> {

  private static final Logger LOG = LogManager.getLogger(BlockReservation.class);
  private static final long RELEASE_POLL_NANOS = 50_000;

  private final long blockId;
  private final Function<Path, Optional<Path>> ownPath;
  private final Consumer<Status> onLost;
  private final ClientCallStreamObserver<CreateLocalBlockRequest> requests;

  private volatile CompletableFuture<Answer> answer = new CompletableFuture<>();
  private volatile Path file;
  private volatile long requestedBytes;
  private volatile long sizeBytes;
  private volatile boolean ended;

  /**
   * Requests an empty block; does not wait for it.
   *
   * @param worker the worker
   * @param blockId an id that no other block has
   * @param ownPath where this process sees a file of the worker's; empty if it is in the wrong
   *     place
   * @param onLost called when the connection to the worker is lost
   */
  BlockReservation(
      BlockWorkerClient worker,
      long blockId,
      Function<Path, Optional<Path>> ownPath,
      Consumer<Status> onLost) {
    this.blockId = blockId;
    this.ownPath = ownPath;
    this.onLost = onLost;
    this.requests =
        (ClientCallStreamObserver<CreateLocalBlockRequest>) worker.createLocalBlock(this);
    requests.onNext(message(0, false));
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
    synchronized (this) {
      if (!answer.isDone()) {
        throw new IllegalStateException("an earlier request is still pending");
      }
      if (ended) {
        return;
      }
      answer = new CompletableFuture<>();
      requestedBytes = bytes;
    }
    requests.onNext(message(bytes, true));
  }

  /** Where this process sees the block's file; null before the first grant. Never waits. */
  Path file() {
    return file;
  }

  /** Whether the worker still owes an answer. Never waits. */
  boolean isAnswerPending() {
    return !answer.isDone();
  }

  @Override
  public Answer awaitAnswer(long timeoutNanos) throws InterruptedException {
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
    requests.cancel("released", null);
  }

  /**
   * Polls the block's file: the worker unlinks it to free the space, and sends no message. A file
   * that cannot be seen may still be there.
   */
  @Override
  public void awaitReleased(long timeoutNanos) throws InterruptedException {
    long startNanos = System.nanoTime();
    while (file != null
        && !Files.notExists(file)
        && System.nanoTime() - startNanos < timeoutNanos) {
      LockSupport.parkNanos(RELEASE_POLL_NANOS);
      if (Thread.interrupted()) {
        throw new InterruptedException();
      }
    }
  }

  @Override
  public synchronized void onNext(CreateLocalBlockResponse response) {
    if (file == null) {
      Optional<Path> own = ownPath.apply(Path.of(response.getPath()));
      if (own.isEmpty()) {
        LOG.debug("the worker put a block outside the tier: {}", response.getPath());
        end(Answer.Misplaced);
        requests.cancel("misplaced", null);
        return;
      }
      file = own.get();
    }
    if (!ended) {
      sizeBytes += requestedBytes;
      requestedBytes = 0;
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
      case RESOURCE_EXHAUSTED -> LOG.debug("reservation refused: {}", status.getDescription());
      case UNAVAILABLE, UNAUTHENTICATED, CANCELLED -> onLost.accept(status);
      default -> LOG.warn("reservation ended by the worker: {}", status);
    }
  }

  @Override
  public void onCompleted() {
    if (!ended) {
      end(Answer.Refused);
      LOG.warn("reservation ended by the worker");
    }
  }

  private synchronized void end(Answer last) {
    ended = true;
    sizeBytes = 0;
    answer.complete(last);
  }

  private CreateLocalBlockRequest message(long bytes, boolean grow) {
    return CreateLocalBlockRequest.newBuilder()
        .setBlockId(blockId)
        .setTier(0)
        .setSpaceToReserve(bytes)
        .setOnlyReserveSpace(grow)
        .build();
  }
}
