package io.dynims.experiments.bench.tier;

import java.util.List;

/** Names the hop at which a slow access spent its time, by what was seen meanwhile. */
final class HopNames {

  /** What must be explained by one cause to be named after it. */
  private static final double MOST = 0.5;

  /** A resize is known by the clock's milliseconds. */
  private static final double CLOCK_MILLIS = 1;

  /** A time, epoch milliseconds. */
  record Interval(long fromMillis, long toMillis) {

    private boolean overlaps(SlowAccess access) {
      return access.beginMillis() <= toMillis + CLOCK_MILLIS
          && access.endMillis() + CLOCK_MILLIS >= fromMillis;
    }
  }

  private final AccessKind kind;
  private final List<Interval> resizes;

  /**
   * Names hops of one interface.
   *
   * @param resizes when the tier was being made smaller
   */
  HopNames(AccessKind kind, List<Interval> resizes) {
    this.kind = kind;
    this.resizes = List.copyOf(resizes);
  }

  /** The first cause that fits, from the process outwards. */
  String of(SlowAccess access) {
    if (access.collectionMillis() * 1e3 >= MOST * access.micros()) {
      return "garbage collection of the reader";
    }
    if (access.waitMicros() >= MOST * access.micros()) {
      return "wait for a processor";
    }
    if (access.underStoreAccesses() > 0) {
      return "under store";
    }
    if (resizes.stream().anyMatch(resize -> resize.overlaps(access))) {
      return "worker, during a resize";
    }
    if (access.otherBlock() && kind.isAlluxio()) {
      return "worker, stream of another block";
    }
    return switch (kind) {
      case Native -> "client or worker, same block";
      case Fuse -> "mount or worker, same block";
      case S3 -> "proxy";
      case Tmpfs, TmpfsHeap -> "kernel";
      case MpiIo, PlainMpiIo -> "MPI-IO";
      case UnderStore -> "under store";
    };
  }
}
