package io.dynims.experiments.bench.threshold;

import io.dynims.core.law.LawType;

/**
 * The greatest threshold at which a law keeps a node below M, and what it gives.
 *
 * @param threshold r0 at which no trace ever passes M
 * @param meanTierBytes what the tier holds at it, averaged over the traces
 */
record SafeThreshold(LawType law, double threshold, long meanTierBytes) {}
