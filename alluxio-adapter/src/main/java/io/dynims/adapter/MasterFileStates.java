package io.dynims.adapter;

import alluxio.AbstractMasterClient;
import alluxio.ClientContext;
import alluxio.Constants;
import alluxio.conf.Configuration;
import alluxio.exception.status.AlluxioStatusException;
import alluxio.grpc.FileSystemMasterWorkerServiceGrpc;
import alluxio.grpc.FileSystemMasterWorkerServiceGrpc.FileSystemMasterWorkerServiceFutureStub;
import alluxio.grpc.GetFileInfoPRequest;
import alluxio.grpc.GetFileInfoPResponse;
import alluxio.grpc.ServiceType;
import alluxio.master.MasterClientContext;
import com.google.common.collect.Lists;
import com.google.common.util.concurrent.ListenableFuture;
import io.grpc.Status;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Asks Alluxio's master, through the service that workers use, since it finds files by id. Many
 * requests are under way at once.
 */
final class MasterFileStates extends AbstractMasterClient implements FileStates {

  private static final Logger LOG = LogManager.getLogger(MasterFileStates.class);
  private static final int REQUESTS_AT_ONCE = 64;
  private static final long DEADLINE_MILLIS = 2_000;

  private FileSystemMasterWorkerServiceFutureStub stub;

  MasterFileStates() {
    super(MasterClientContext.newBuilder(ClientContext.create(Configuration.global())).build());
  }

  @Override
  public synchronized Map<Long, State> ask(Collection<Long> fileIds) {
    Map<Long, State> known = new HashMap<>();
    try {
      connect();
      for (List<Long> some : Lists.partition(List.copyOf(fileIds), REQUESTS_AT_ONCE)) {
        if (!askAtOnce(some, known)) {
          disconnect();
          break;
        }
      }
    } catch (AlluxioStatusException e) {
      LOG.debug("the master does not tell the states of files: {}", e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return known;
  }

  /** Adds what the master answers; false if it does not answer. */
  private boolean askAtOnce(List<Long> fileIds, Map<Long, State> known)
      throws InterruptedException {
    var timed = stub.withDeadlineAfter(DEADLINE_MILLIS, TimeUnit.MILLISECONDS);
    Map<Long, ListenableFuture<GetFileInfoPResponse>> answers = new LinkedHashMap<>();
    for (long fileId : fileIds) {
      answers.put(
          fileId, timed.getFileInfo(GetFileInfoPRequest.newBuilder().setFileId(fileId).build()));
    }
    boolean answered = true;
    for (Map.Entry<Long, ListenableFuture<GetFileInfoPResponse>> each : answers.entrySet()) {
      try {
        boolean persisted = each.getValue().get().getFileInfo().getPersisted();
        known.put(each.getKey(), persisted ? State.Persisted : State.Unpersisted);
      } catch (ExecutionException e) {
        Status status = Status.fromThrowable(e.getCause());
        if (status.getCode() == Status.Code.NOT_FOUND) {
          known.put(each.getKey(), State.Gone);
        } else {
          LOG.debug("the master does not tell the state of file {}: {}", each.getKey(), status);
          answered = false;
        }
      }
    }
    return answered;
  }

  @Override
  protected void afterConnect() {
    stub = FileSystemMasterWorkerServiceGrpc.newFutureStub(mChannel);
  }

  @Override
  protected ServiceType getRemoteServiceType() {
    return ServiceType.FILE_SYSTEM_MASTER_WORKER_SERVICE;
  }

  @Override
  protected String getServiceName() {
    return Constants.FILE_SYSTEM_MASTER_WORKER_SERVICE_NAME;
  }

  @Override
  protected long getServiceVersion() {
    return Constants.FILE_SYSTEM_MASTER_WORKER_SERVICE_VERSION;
  }
}
