package io.dynims.experiments.bench.tier;

import java.io.IOException;

/** One way to the files of a tier, or to those of another file system for comparison. */
interface Access extends AutoCloseable {

  /** A file that is open, for one thread. */
  interface OpenFile extends AutoCloseable {

    /**
     * Reads a part of the file that exists.
     *
     * @param buffer whose first bytes are filled
     */
    void read(long offset, byte[] buffer, int length) throws IOException;

    /** Writes the first bytes of a buffer. */
    void write(long offset, byte[] buffer, int length) throws IOException;

    @Override
    void close() throws IOException;
  }

  /**
   * Opens a file that exists for reading, or makes a new one.
   *
   * @param file a path without a slash in front
   */
  OpenFile open(String file, boolean write) throws IOException;

  @Override
  default void close() throws IOException {}
}
