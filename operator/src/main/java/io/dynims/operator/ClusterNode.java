package io.dynims.operator;

import java.net.URI;
import java.util.Map;

/**
 * What counts about a node.
 *
 * @param name its name
 * @param labels its labels
 * @param adapter the address that its annotation {@code dynims.io/adapter} names; null without one
 */
record ClusterNode(String name, Map<String, String> labels, URI adapter) {}
