package io.dynims.core.law;

/**
 * What a law remembered of one tier up to 2026-11. Nothing uses it; Flink needs the class to read
 * state that was saved then, and drops it.
 */
public record LawState(double[] values) {}
