package io.dynims.experiments.bench.tier;

import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Locale;

/** The interfaces that the study compares. */
public enum AccessKind {
  /** Alluxio's own client, in Java. */
  Native("Alluxio's client"),
  /** Alluxio's FUSE mount. */
  Fuse("Alluxio's FUSE mount"),
  /** Alluxio's proxy with an S3 API. */
  S3("Alluxio's S3 API"),
  /** MPI-IO through the cache that is sized by DynIMS. */
  MpiIo("MPI-IO, cached"),
  /** The same without the cache, on the under store. */
  PlainMpiIo("MPI-IO, under store"),
  /** The under store itself. */
  UnderStore("under store"),
  /** A tmpfs, the limit of what memory can do. */
  Tmpfs("tmpfs");

  private final String label;

  AccessKind(String label) {
    this.label = label;
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
}
