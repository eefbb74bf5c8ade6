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
import java.util.EnumSet;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

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
   * @param worker its RPC address
   * @param node the name of the node that it is on, by which it may be registered
   * @throws IOException if the master is unavailable or does not know the worker
   */
  static WorkerInfo workerInfo(InetSocketAddress worker, String node) throws IOException {
    try (BlockMasterClient master =
        BlockMasterClient.Factory.create(
            MasterClientContext.newBuilder(ClientContext.create(Configuration.global())).build())) {
      return find(
          master.getWorkerReport(
              GetWorkerReportOptions.defaults()
                  .setWorkerRange(GetWorkerReportOptions.WorkerRange.LIVE)
                  .setFieldRange(FIELDS)),
          worker,
          node);
    }
  }

  /** The worker by its names, or else by its addresses, which takes longer to find out. */
  static WorkerInfo find(List<WorkerInfo> live, InetSocketAddress worker, String node)
      throws IOException {
    List<WorkerInfo> atPort =
        live.stream().filter(each -> each.getAddress().getRpcPort() == worker.getPort()).toList();
    List<String> ours = List.of(worker.getHostString(), node);
    for (WorkerInfo info : atPort) {
      if (names(info).anyMatch(ours::contains)) {
        return info;
      }
    }
    for (WorkerInfo info : atPort) {
      if (names(info).anyMatch(name -> isSameHost(name, worker.getHostString()))) {
        return info;
      }
    }
    throw new IOException(
        ("none of the %d live workers that the master knows%s is the one at %s:%d; set"
                + " alluxio.worker.hostname to a name that the adapter can resolve, or tier.max to"
                + " the capacity of the worker's tier")
            .formatted(
                live.size(),
                live.isEmpty() ? "" : ", such as " + live.get(0).getAddress().getHost(),
                worker.getHostString(),
                worker.getPort()));
  }

  private static Stream<String> names(WorkerInfo info) {
    return Stream.of(info.getAddress().getHost(), info.getAddress().getContainerHost())
        .filter(name -> !name.isEmpty());
  }

  private static boolean isSameHost(String registered, String ours) {
    try {
      InetAddress theirs = InetAddress.getByName(registered);
      InetAddress here = InetAddress.getByName(ours);
      return theirs.equals(here)
          || (here.isLoopbackAddress() && NetworkInterface.getByInetAddress(theirs) != null);
    } catch (IOException e) {
      return false; // No such name, as far as this host knows.
    }
  }

  /** What is free in a worker's tier, as the worker counts it: less what it keeps for itself. */
  static long freeBytes(WorkerInfo info, String tierAlias) {
    return info.getCapacityBytesOnTiers().getOrDefault(tierAlias, 0L)
        - info.getUsedBytesOnTiers().getOrDefault(tierAlias, 0L);
  }

  /** A worker may pass over a tier for new blocks, if there is a lower one, while less is free. */
  static long passOverBytes() {
    return Configuration.getBytes(PropertyKey.WORKER_REVIEWER_PROBABILISTIC_SOFTLIMIT_BYTES);
  }

  private static void set(PropertyKey key, Object value) {
    Configuration.set(key, value, Source.RUNTIME);
  }
}
