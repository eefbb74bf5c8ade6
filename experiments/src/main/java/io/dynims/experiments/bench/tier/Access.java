package io.dynims.experiments.bench.tier;

import java.io.IOException;
import java.nio.ByteBuffer;

/** One way to the files of a tier, or to those of another file system for comparison. */
interface Access extends AutoCloseable {

  /** A file that is open, for one thread. */
  interface OpenFile extends AutoCloseable {

    /**
     * Reads a part of the file that exists.
     *
     * @param buffer of {@link #buffer}, which is filled
     */
    void read(long offset, ByteBuffer buffer) throws IOException;

    /** Writes all of a buffer of {@link #buffer}. */
    void write(long offset, ByteBuffer buffer) throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * Opens a file that exists for reading, or makes a new one.
   *
   * @param file a path without a slash in front
   */
  OpenFile open(String file, boolean write) throws IOException;

  /** A buffer of the kind that this way reads and writes without another copy. */
  default ByteBuffer buffer(int length) {
    return ByteBuffer.allocate(length);
  }

  @Override
  default void close() throws IOException {}
}
