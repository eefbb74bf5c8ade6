package io.dynims.operator;

import java.net.URI;
import java.util.Map;

/**
 * The relevant properties of a node.
 *
 * @param name its name
 * @param labels its labels
 * @param adapters addresses of adapters that its annotations name, by the type of the store; empty
 *     text for any store
 * @param tainted whether it has a taint that keeps pods of DaemonSets away
 */
record ClusterNode(
    String name, Map<String, String> labels, Map<String, URI> adapters, boolean tainted) {

  /** The address that the annotations name for the adapter of a store, or null. */
  URI adapter(String store) {
    return adapters.getOrDefault(store, adapters.get(""));
  }
}
