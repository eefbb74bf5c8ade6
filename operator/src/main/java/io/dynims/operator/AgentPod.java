package io.dynims.operator;

import java.net.URI;

/**
 * A pod that serves the Tier API.
 *
 * @param node the node it runs on, or is meant for
 * @param store the store it controls, from its label {@code dynims.io/store}
 * @param adapter its address; null while it has none
 */
record AgentPod(String node, String store, URI adapter) {}
