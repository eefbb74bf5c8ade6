package io.dynims.experiments.bench.reaction;

/**
 * What is compared with DynIMS, and for how long.
 *
 * @param secure whether it is compared with itself with TLS on every hop, instead of with the
 *     prototype's design
 * @param warmUpSeconds how long each design runs under the load before the measurement
 * @param seconds how long each design is measured
 */
public record ReactionOptions(boolean secure, int warmUpSeconds, int seconds) {}
