package io.dynims.experiments.bench.fleet;

/** Sends samples to the broker; for use by one thread. */
interface SampleLink extends AutoCloseable {

  /** Sends a sample; a sample that the broker does not accept becomes a missed tick. */
  void send(int node, byte[] sample);

  @Override
  void close();
}
