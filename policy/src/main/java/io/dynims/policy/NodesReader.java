package io.dynims.policy;

import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads {@code spec.nodes}. Outside a cluster a document lists its nodes, each with its adapter, or
 * names hosts with one template of their adapters' addresses, or both.
 */
final class NodesReader {

  /** What stands for a node's name in a template. */
  private static final String NAME = "{name}";

  /** All nodes, and how many of them, counted from the first, are from the list. */
  record Nodes(List<ClaimedNode> all, int listed) {}

  private final YamlMapping nodes;
  private final List<ClaimedNode> read = new ArrayList<>();
  private final Set<String> names = new HashSet<>();

  NodesReader(YamlMapping nodes) {
    this.nodes = nodes;
  }

  /** The nodes of the document, or those that its selector matches in a cluster. */
  Nodes read(Optional<List<ClaimedNode>> selected) {
    if (selected.isPresent()) {
      nodes.ignore("selector");
      nodes.refuseUnknown();
      return new Nodes(selected.get(), selected.get().size());
    }
    if (nodes.has("selector")) {
      nodes.reject(
          "selector",
          "needs a cluster; a policy file names its nodes in spec.nodes.list or .hosts");
      return new Nodes(List.of(), 0);
    }
    nodes.ignore("hosts");
    nodes.ignore("adapter");
    if (nodes.has("list") || !nodes.has("hosts")) {
      readList();
    }
    nodes.ignore("list");
    int listed = read.size();
    if (nodes.has("hosts")) {
      readHosts();
    } else if (nodes.has("adapter")) {
      nodes.reject("adapter", "is the template for spec.nodes.hosts, which is missing");
    }
    nodes.refuseUnknown();
    return new Nodes(List.copyOf(read), listed);
  }

  private void readList() {
    for (YamlMapping entry : nodes.mappings("list")) {
      Optional<String> name = entry.required("name", MemoryTierReader::name);
      Optional<URI> adapter = entry.required("adapter", ClaimedNode::address);
      entry.refuseUnknown();
      if (name.isPresent() && !names.add(name.get())) {
        entry.reject("name", "'" + name.get() + "' is listed twice");
      }
      if (name.isPresent() && adapter.isPresent()) {
        read.add(new ClaimedNode(name.get(), adapter.get()));
      }
    }
  }

  private void readHosts() {
    List<String> hosts = nodes.required("hosts", NodesReader::hosts).orElse(List.of());
    Optional<String> template = nodes.required("adapter", NodesReader::template);
    for (String host : hosts) {
      if (!names.add(host)) {
        nodes.reject("hosts", "'" + host + "' is there twice");
        return;
      }
    }
    if (template.isEmpty() || hosts.isEmpty()) {
      return;
    }
    try {
      for (String host : hosts) {
        read.add(new ClaimedNode(host, ClaimedNode.address(template.get().replace(NAME, host))));
      }
    } catch (IllegalArgumentException e) {
      nodes.reject("adapter", e.getMessage());
    }
  }

  private static List<String> hosts(String text) {
    List<String> hosts = HostList.expand(text);
    hosts.forEach(MemoryTierReader::name);
    return hosts;
  }

  private static String template(String text) {
    if (!text.contains(NAME)) {
      throw new IllegalArgumentException(
          "'" + text + "' does not contain " + NAME + ", as http://{name}:7070 does");
    }
    return text;
  }
}
