package io.dynims.controller.policy;

import java.net.URI;

/**
 * A node that a document claims.
 *
 * @param name the node's name
 * @param adapter the base address of its adapter; null as long as none is known
 */
public record ClaimedNode(String name, URI adapter) {}
