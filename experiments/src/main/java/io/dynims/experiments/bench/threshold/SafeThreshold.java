package io.dynims.experiments.bench.threshold;

import io.dynims.cli.simulate.SyntheticTrace;
import io.dynims.core.law.LawType;
import java.util.Map;

/**
 * The greatest thresholds of a law that are safe, and what they give.
 *
 * @param threshold r0 at which no trace passes M by more than 1.1 times its inevitable excess
 * @param meanTierBytes what the tier holds at it, averaged over all traces
 * @param strictThreshold r0 at which no trace passes M at all
 * @param strictMeanTierBytes what the tier holds at that
 * @param excessBytes by how much the traces of a kind pass M at most at {@code threshold}; below 0
 *     if they stay below M
 */
record SafeThreshold(
    LawType law,
    double threshold,
    long meanTierBytes,
    double strictThreshold,
    long strictMeanTierBytes,
    Map<SyntheticTrace, Long> excessBytes) {}
