package io.dynims.experiments.paper;

import java.io.IOException;

/** What takes memory on the node while a data job runs. */
interface NodeLoad {

  /** Its name in the ids of runs. */
  String name();

  /** It starts when the data job has ended this iteration. */
  int afterIteration();

  /** Starts it on the node. */
  Running start(MemoryGroup node) throws IOException;

  /** A load that was started. */
  interface Running extends AutoCloseable {

    boolean isAlive();

    /** The memory that it holds now. */
    long heldBytes();

    /**
     * How long it took, when it is no longer alive.
     *
     * @throws IOException if it failed
     */
    long millis() throws IOException;

    /** Stops it if it is still running. */
    @Override
    void close();
  }
}
