package io.dynims.experiments.bench.reaction;

/**
 * How long is measured.
 *
 * @param warmSeconds how long each design runs under the load before it is measured
 * @param seconds how long each design is measured
 */
public record ReactionOptions(int warmSeconds, int seconds) {}
