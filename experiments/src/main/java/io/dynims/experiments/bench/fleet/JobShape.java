package io.dynims.experiments.bench.fleet;

/** What the jobs of simulated nodes hold over time; for use by one thread. */
interface JobShape {

  /** The memory that the jobs of a node hold, in bytes, at a time in Unix epoch milliseconds. */
  long jobBytes(int node, long nowMillis);
}
