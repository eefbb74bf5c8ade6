package io.dynims.controller.fleet;

/**
 * A problem with a policy that is in effect nevertheless.
 *
 * @param node the node's name
 * @param tier the tier's name
 * @param reason what the problem is
 */
public record PolicyWarning(String node, String tier, String reason) {}
