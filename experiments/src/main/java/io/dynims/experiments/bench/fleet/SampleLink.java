package io.dynims.experiments.bench.fleet;

/** How samples come to the broker. For use by one thread. */
interface SampleLink extends AutoCloseable {

  /** Sends a sample; one that the broker does not take shows as a missed tick. */
  void send(int node, byte[] sample);

  @Override
  void close();
}
