package io.dynims.operator;

import io.dynims.core.wire.Hint;

/**
 * What a pod announces to take of its node's memory.
 *
 * @param node the node that it was assigned to
 * @param pod its namespace and name, for the log
 * @param hint the same as a hint, whose owner is the pod's UID
 */
record PodHint(String node, String pod, Hint hint) {}
