package io.dynims.adapter;

import java.util.Collection;
import java.util.Map;

/** Knows which files have a copy outside the tier. */
interface FileStates {

  /** What is known of a file. */
  enum State {
    /** The under file system has it. */
    Persisted,
    /** Its data may exist in the tier only. */
    Unpersisted,
    /** It was deleted. */
    Gone
  }

  /**
   * The states of files by their ids. Those that cannot be learned now are missing. Takes a bounded
   * time.
   */
  Map<Long, State> ask(Collection<Long> fileIds);
}
