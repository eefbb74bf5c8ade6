package io.dynims.adapter;

import alluxio.client.block.stream.BlockWorkerClient;
import alluxio.grpc.OpenLocalBlockRequest;
import alluxio.grpc.OpenLocalBlockResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * A block of an Alluxio worker, held by the open stream of a short-circuit read that never reads:
 * the worker does not evict blocks that are being read. The worker ends the read when the stream
 * ends, for whatever reason.
 */
final class BlockHold implements Hold, StreamObserver<OpenLocalBlockResponse> {

  private static final Logger LOG = LogManager.getLogger(BlockHold.class);

  private final StreamObserver<OpenLocalBlockRequest> requests;
  private volatile boolean held;
  private volatile boolean ended;

  /** Asks for the block; does not wait for it. */
  BlockHold(BlockWorkerClient worker, long blockId) {
    this.requests = worker.openLocalBlock(this);
    requests.onNext(
        OpenLocalBlockRequest.newBuilder().setBlockId(blockId).setPromote(false).build());
  }

  @Override
  public boolean isHeld() {
    return held && !ended;
  }

  @Override
  public boolean isEnded() {
    return ended;
  }

  @Override
  public synchronized void release() {
    if (!ended) {
      ended = true;
      requests.onCompleted();
    }
  }

  @Override
  public void onNext(OpenLocalBlockResponse response) {
    held = true;
  }

  @Override
  public synchronized void onError(Throwable error) {
    if (!ended) {
      LOG.debug("a held block is lost: {}", Status.fromThrowable(error));
    }
    ended = true;
  }

  @Override
  public synchronized void onCompleted() {
    ended = true;
  }
}
