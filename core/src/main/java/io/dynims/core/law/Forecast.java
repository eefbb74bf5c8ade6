package io.dynims.core.law;

/**
 * How {@link ForecastLaw} came to a decision.
 *
 * @param jobBytes j = v − used: what the jobs hold
 * @param jobAheadBytes what they may hold when the next decision is in force, with what hints
 *     announce
 * @param reserveBytes what is left free for blocks that cannot be evicted at once, and for what the
 *     tier holds beyond its capacity
 * @param safeBytes the capacity that is safe now and until then, before any bound; below 0 where
 *     the jobs alone need more than the set point
 */
public record Forecast(long jobBytes, long jobAheadBytes, long reserveBytes, long safeBytes) {}
