package io.dynims.adapter;

import alluxio.ClientContext;
import alluxio.client.block.BlockMasterClient;
import alluxio.client.block.options.GetWorkerReportOptions;
import alluxio.client.block.options.GetWorkerReportOptions.WorkerInfoField;
import alluxio.client.block.stream.BlockWorkerClient;
import alluxio.conf.Configuration;
import alluxio.conf.PropertyKey;
import alluxio.conf.Source;
import alluxio.grpc.GrpcServerAddress;
import alluxio.master.MasterClientContext;
import alluxio.security.user.UserState;
import alluxio.wire.WorkerInfo;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;

/** Alluxio's own client for one worker; security settings come from Alluxio's own files. */
final class AlluxioClient {

  /** The fields to request; the master of 2.9.6 fails if only one of the two maps is requested. */
  private static final EnumSet<WorkerInfoField> FIELDS =
      EnumSet.of(
          WorkerInfoField.ADDRESS,
          WorkerInfoField.WORKER_CAPACITY_BYTES_ON_TIERS,
          WorkerInfoField.WORKER_USED_BYTES_ON_TIERS,
          WorkerInfoField.BUILD_VERSION);

  private AlluxioClient() {}

  /** Call this first: some of Alluxio's classes read their settings only once. */
  static void configure(List<InetSocketAddress> masters) {
    set(PropertyKey.USER_RPC_RETRY_MAX_DURATION, "1s");
    set(PropertyKey.NETWORK_CONNECTION_AUTH_TIMEOUT, "5s");
    set(PropertyKey.NETWORK_CONNECTION_SHUTDOWN_GRACEFUL_TIMEOUT, "100ms");
    set(PropertyKey.NETWORK_CONNECTION_SHUTDOWN_TIMEOUT, "500ms");
    set(PropertyKey.USER_NETWORK_STREAMING_NETTY_WORKER_THREADS, 1);
    set(PropertyKey.USER_NETWORK_RPC_NETTY_WORKER_THREADS, 1);
    // The cluster's defaults are for file clients, and reading them needs the master at every
    // start.
    set(PropertyKey.USER_CONF_CLUSTER_DEFAULT_ENABLED, false);
    if (!masters.isEmpty()) {
      // Of several, the client asks each until it finds the leader.
      set(
          PropertyKey.MASTER_RPC_ADDRESSES,
          masters.stream()
              .map(each -> each.getHostString() + ":" + each.getPort())
              .collect(Collectors.joining(",")));
    }
  }

  static BlockWorkerClient connect(InetSocketAddress worker) throws IOException {
    return BlockWorkerClient.Factory.create(
        UserState.Factory.create(Configuration.global()),
        GrpcServerAddress.create(worker),
        Configuration.global());
  }

  /**
   * What the master knows about a worker.
   *
   * @throws IOException if the master is unavailable or knows no live worker at the address
   */
  static WorkerInfo workerInfo(InetSocketAddress worker) throws IOException {
    List<WorkerInfo> workers;
    try (BlockMasterClient master =
        BlockMasterClient.Factory.create(
            MasterClientContext.newBuilder(ClientContext.create(Configuration.global())).build())) {
      workers =
          master.getWorkerReport(
              GetWorkerReportOptions.defaults()
                  .setWorkerRange(GetWorkerReportOptions.WorkerRange.LIVE)
                  .setFieldRange(FIELDS));
    }
    for (WorkerInfo info : workers) {
      if (info.getAddress().getRpcPort() == worker.getPort()
          && isSameHost(info.getAddress().getHost(), worker.getHostString())) {
        return info;
      }
    }
    throw new IOException("the master knows no live worker at " + worker);
  }

  private static boolean isSameHost(String registered, String ours) throws IOException {
    if (registered.equals(ours)) {
      return true;
    }
    try {
      InetAddress theirs = InetAddress.getByName(registered);
      InetAddress here = InetAddress.getByName(ours);
      return theirs.equals(here)
          || (here.isLoopbackAddress() && NetworkInterface.getByInetAddress(theirs) != null);
    } catch (UnknownHostException e) {
      return false;
    }
  }

  private static void set(PropertyKey key, Object value) {
    Configuration.set(key, value, Source.RUNTIME);
  }
}
