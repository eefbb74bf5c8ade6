package io.dynims.operator;

import java.net.URI;
import java.util.Map;

/**
 * The relevant properties of a node.
 *
 * @param name its name
 * @param labels its labels
 * @param adapter the address in its annotation {@code dynims.io/adapter}, or null
 */
record ClusterNode(String name, Map<String, String> labels, URI adapter) {}
