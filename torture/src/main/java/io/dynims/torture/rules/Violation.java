package io.dynims.torture.rules;

/**
 * A rule that does not hold.
 *
 * @param rule its name
 * @param millis when it was seen
 * @param text what was seen
 */
public record Violation(String rule, long millis, String text) {}
