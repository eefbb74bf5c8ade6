package io.dynims.experiments.bench.tier;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The interfaces that the study compares. */
public enum AccessKind {
  /** Alluxio's own client, in Java. */
  Native("Alluxio's client", false),
  /** Alluxio's FUSE mount. */
  Fuse("Alluxio's FUSE mount", false),
  /** Alluxio's proxy with an S3 API. */
  S3("Alluxio's S3 API", true),
  /** MPI-IO through the cache that is sized by DynIMS. */
  MpiIo("MPI-IO, cached", false),
  /** The same without the cache, on the under store. */
  PlainMpiIo("MPI-IO, under store", true),
  /** The under store itself. */
  UnderStore("under store", true),
  /** A tmpfs, the limit of what memory can do. */
  Tmpfs("tmpfs", false),
  /**
   * The same into an array of Java's heap, which is what Alluxio's client reads into: its limit.
   */
  TmpfsHeap("tmpfs, Java's heap", false);

  private final String label;
  private final boolean slow;

  AccessKind(String label, boolean slow) {
    this.label = label;
    this.slow = slow;
  }

  /** In tables and plots. */
  String label() {
    return label;
  }

  /** In ids and on the command line. */
  @JsonValue
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  boolean isMpi() {
    return this == MpiIo || this == PlainMpiIo;
  }

  /** Whether it is one of Alluxio's. */
  boolean isAlluxio() {
    return this == Native || this == Fuse || this == S3;
  }

  /**
   * Whether the under store or the time of a request bounds its reads or writes, whatever processes
   * there are. What is written to the cache goes to the under store when the file is closed.
   */
  boolean isSlow(boolean write) {
    return slow || (this == MpiIo && write);
  }

  /** Whether it reads a tier that can be resized. */
  boolean isElastic() {
    return isAlluxio() || this == MpiIo;
  }
}
