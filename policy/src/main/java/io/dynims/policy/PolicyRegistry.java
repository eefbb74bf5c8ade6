package io.dynims.policy;

import io.dynims.core.wire.TierKey;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The documents of all sources; a document that becomes invalid stays in force in its last good
 * version. A document is identified by its name within its source, or by its position while its
 * name cannot be read. If two documents claim the same tier or the same adapter of a node, the
 * first one wins: by source name, or in an order that is given, then by position. The first one of
 * a node also says the law and the memory of all its tiers. Not thread-safe.
 */
public final class PolicyRegistry {

  /** A document of a source; its content is empty if it is invalid. */
  private record Entry(int position, Optional<String> name, Optional<MemoryTierDocument> tier) {

    String label() {
      return position + name.map(n -> " (" + n + ")").orElse("");
    }

    Entry with(Optional<MemoryTierDocument> lastGood) {
      return new Entry(position, name.or(() -> lastGood.map(MemoryTierDocument::name)), lastGood);
    }
  }

  /** A source; an empty one remembers the names of the documents that it had. */
  private record Source(List<Entry> entries, List<PolicyError> errors, Set<String> former) {

    Set<String> names() {
      return entries.isEmpty()
          ? former
          : entries.stream().flatMap(e -> e.name().stream()).collect(Collectors.toSet());
    }

    /** The names of the documents that name no node, perhaps by mistake. */
    Stream<String> vacant() {
      return entries.isEmpty()
          ? former.stream()
          : entries.stream()
              .filter(e -> e.tier().map(MemoryTierDocument::nodes).orElse(List.of()).isEmpty())
              .flatMap(e -> e.name().stream());
    }
  }

  private final Map<String, Source> sources = new TreeMap<>();

  /** Replaces the content of a source with these documents, as plain values. */
  public void put(String file, List<?> documents) {
    put(file, documents, Optional.empty());
  }

  /** Replaces a source of one document whose nodes were selected in a cluster. */
  public void put(String source, Map<?, ?> document, List<ClaimedNode> nodes) {
    put(source, List.of(document), Optional.of(nodes));
  }

  private void put(String file, List<?> documents, Optional<List<ClaimedNode>> nodes) {
    List<PolicyError> errors = new ArrayList<>();
    List<Entry> read = new ArrayList<>();
    for (int i = 0; i < documents.size(); i++) {
      read.add(read(file, i + 1, documents.get(i), nodes, errors));
    }
    Set<String> named =
        read.stream().flatMap(e -> e.name().stream()).collect(Collectors.toUnmodifiableSet());
    List<Entry> entries = new ArrayList<>();
    for (Entry entry : read) {
      Optional<MemoryTierDocument> lastGood = lastGood(file, entry, named);
      entries.add(
          entry.tier().isPresent()
              ? entry
              : entry.with(nodes.isPresent() ? lastGood.map(t -> t.on(nodes.get())) : lastGood));
    }
    sources.put(file, new Source(entries, errors, former(file)));
  }

  /** Records that a source cannot be read; its last content stays in force. */
  public void refuse(String file, String reason) {
    refuse(file, reason, Optional.empty());
  }

  /** The same for a source of one document, whose last content applies to these nodes. */
  public void refuse(String source, String reason, List<ClaimedNode> nodes) {
    refuse(source, reason, Optional.of(nodes));
  }

  private void refuse(String file, String reason, Optional<List<ClaimedNode>> nodes) {
    Source last = sources.get(file);
    List<Entry> kept = last == null ? List.of() : last.entries();
    if (nodes.isPresent()) {
      kept = kept.stream().map(e -> e.with(e.tier().map(t -> t.on(nodes.get())))).toList();
    }
    sources.put(
        file, new Source(kept, List.of(new PolicyError(file, "", "", reason)), former(file)));
  }

  private Set<String> former(String file) {
    Source last = sources.get(file);
    return last == null ? Set.of() : last.names();
  }

  /** Whether no source has a document. */
  public boolean isEmpty() {
    return sources.values().stream().allMatch(source -> source.entries().isEmpty());
  }

  /** Removes a source and its documents. */
  public void remove(String file) {
    sources.remove(file);
  }

  /** The policies that result from all documents. */
  public PolicySet read() {
    return read(List.copyOf(sources.keySet()));
  }

  /** The same where an order of all sources is given, such as by age. */
  public PolicySet read(List<String> order) {
    Map<TierKey, NodePolicySpec> tiers = new LinkedHashMap<>();
    Claims claims = new Claims(new HashMap<>(), new HashMap<>(), new HashMap<>());
    List<PolicyError> errors = new ArrayList<>();
    for (String file : order) {
      Source source = sources.get(file);
      errors.addAll(source.errors());
      source.entries().forEach(entry -> claim(file, entry, tiers, claims, errors));
    }
    Set<String> vacant =
        sources.values().stream().flatMap(Source::vacant).collect(Collectors.toUnmodifiableSet());
    return new PolicySet(weighed(tiers.values()), List.copyOf(errors), new Vacancy(false, vacant));
  }

  /** The same, each with the weights of the node's other tiers. */
  private static List<NodePolicySpec> weighed(Collection<NodePolicySpec> tiers) {
    Map<String, Double> ofNode = new HashMap<>();
    tiers.forEach(tier -> ofNode.merge(tier.key().node(), tier.weight(), Double::sum));
    return tiers.stream()
        .map(tier -> tier.beside(ofNode.get(tier.key().node()) - tier.weight()))
        .toList();
  }

  /** An adapter of a node; adapters of several nodes may share an address. */
  private record NodeAdapter(String node, URI address) {}

  /** The first document of a node. */
  private record First(MemoryTierDocument document, String owner) {}

  /** Which document has a tier, which has an adapter, and which says the law of a node. */
  private record Claims(
      Map<TierKey, String> tiers, Map<NodeAdapter, String> adapters, Map<String, First> firsts) {}

  private static void claim(
      String file,
      Entry entry,
      Map<TierKey, NodePolicySpec> tiers,
      Claims claims,
      List<PolicyError> errors) {
    if (entry.tier().isEmpty()) {
      return;
    }
    MemoryTierDocument document = entry.tier().get();
    String owner = file + ", document " + entry.label();
    Map<String, List<String>> overruled = new LinkedHashMap<>();
    for (int i = 0; i < document.nodes().size(); i++) {
      ClaimedNode node = document.nodes().get(i);
      First first = claims.firsts().getOrDefault(node.name(), new First(document, owner));
      var tier = new NodePolicySpec(owner, document, first.document(), node, 0);
      NodeAdapter adapter = new NodeAdapter(tier.key().node(), tier.adapter());
      boolean listed = i < document.listed();
      String field = listed ? "spec.nodes.list[" + i + "]" : "spec.nodes";
      if (claims.tiers().containsKey(tier.key())) {
        String name = "tier '" + document.name() + "' of node '" + adapter.node() + "'";
        String reason = name + " is already claimed by " + claims.tiers().get(tier.key());
        errors.add(
            new PolicyError(file, entry.label(), field + (listed ? ".name" : ".hosts"), reason));
      } else if (adapter.address() != null && claims.adapters().containsKey(adapter)) {
        String name = adapter.address() + " of node '" + adapter.node() + "'";
        String reason = name + " is already the adapter of " + claims.adapters().get(adapter);
        errors.add(new PolicyError(file, entry.label(), field + ".adapter", reason));
      } else {
        claims.firsts().putIfAbsent(node.name(), first);
        claims.tiers().put(tier.key(), owner);
        claims.adapters().put(adapter, owner);
        tiers.put(tier.key(), tier);
        if (tier.isOverruled()) {
          overruled.computeIfAbsent(first.owner(), any -> new ArrayList<>()).add(node.name());
        }
      }
    }
    overruled.forEach(
        (first, nodes) ->
            errors.add(
                new PolicyError(
                    file,
                    entry.label(),
                    document.contradicts(claims.firsts().get(nodes.get(0)).document()),
                    "is not that of %s, which applies to all tiers of %s"
                        .formatted(first, named(nodes)))));
  }

  private static String named(List<String> nodes) {
    String first = "node '" + nodes.get(0) + "'";
    return nodes.size() == 1 ? first : first + " and of " + (nodes.size() - 1) + " more";
  }

  private static Entry read(
      String file,
      int position,
      Object document,
      Optional<List<ClaimedNode>> nodes,
      List<PolicyError> errors) {
    Optional<String> name = MemoryTierReader.nameOf(document);
    Entry entry = new Entry(position, name, Optional.empty());
    if (!(document instanceof Map<?, ?> map)) {
      errors.add(new PolicyError(file, entry.label(), "", "is not a mapping"));
      return entry;
    }
    var reader =
        new MemoryTierReader(
            map,
            nodes,
            (field, reason) -> errors.add(new PolicyError(file, entry.label(), field, reason)));
    return new Entry(position, name, reader.read());
  }

  private Optional<MemoryTierDocument> lastGood(String file, Entry bad, Set<String> named) {
    Source last = sources.get(file);
    if (last == null) {
      return Optional.empty();
    }
    return last.entries().stream()
        .filter(
            old ->
                bad.name().isPresent()
                    ? old.name().equals(bad.name())
                    : old.position() == bad.position()
                        && old.name().filter(named::contains).isEmpty())
        .flatMap(old -> old.tier().stream())
        .findFirst();
  }
}
