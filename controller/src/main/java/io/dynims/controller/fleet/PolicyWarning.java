package io.dynims.controller.fleet;

/**
 * Something about a policy that is in force and still not right.
 *
 * @param node the node's name
 * @param tier the tier's name
 * @param reason what is wrong
 */
public record PolicyWarning(String node, String tier, String reason) {}
