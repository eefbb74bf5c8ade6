package io.dynims.core.node;

import java.io.Closeable;
import java.io.IOException;

/**
 * Samples a node's memory many times a second without allocating. The values are those of the last
 * {@link #sample}. Not thread-safe.
 */
public interface NodeSampler extends Closeable {

  /** The value of {@link #stalledMicros} where the kernel does not tell. */
  long UNKNOWN = -1;

  /**
   * Takes a sample.
   *
   * @param exact whether to look, too, for free memory that the kernel counts as used; otherwise
   *     {@link #usedBytes} may be a little too much, and costs less
   * @throws IOException if the kernel's files cannot be read
   */
  void sample(boolean exact) throws IOException;

  /** The node's memory. */
  long totalBytes();

  /** v, the memory in use: what is not available. */
  long usedBytes();

  /** For how long some task has waited for memory so far, microseconds; or {@link #UNKNOWN}. */
  long stalledMicros();
}
