package io.dynims.flink;

import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.runtime.state.CheckpointStorageFactory;
import org.apache.flink.runtime.state.storage.JobManagerCheckpointStorage;

/**
 * Keeps checkpoints on the heap, for the job in a process of its own, where they need not fit into
 * a message to the JobManager as they do in a cluster: there Flink's bound of 5 MiB applies.
 */
public final class HeapCheckpoints
    implements CheckpointStorageFactory<JobManagerCheckpointStorage> {

  /** Of one task; enough for 50,000 nodes and more. */
  static final int MAX_STATE_BYTES = 64 << 20;

  @Override
  public JobManagerCheckpointStorage createFromConfig(
      ReadableConfig config, ClassLoader classLoader) {
    return new JobManagerCheckpointStorage(MAX_STATE_BYTES);
  }
}
