package io.dynims.experiments.bench.reaction;

/**
 * The durations of the measurement.
 *
 * @param warmUpSeconds how long each design runs under the load before the measurement
 * @param seconds how long each design is measured
 */
public record ReactionOptions(int warmUpSeconds, int seconds) {}
