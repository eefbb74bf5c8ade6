package io.dynims.policy;

import io.dynims.core.law.MemorySize;
import io.dynims.core.quantity.Quantities;
import io.dynims.core.wire.GuardPolicy;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.OnDelete;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.SharePolicy;
import io.dynims.core.wire.Unpersisted;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads a document of kind {@code MemoryTier} from its plain values and checks every field. */
final class MemoryTierReader {

  static final String API_VERSION = "dynims.io/v1alpha1";
  static final String KIND = "MemoryTier";

  /** Nothing is resized before somebody asks for it. */
  private static final Mode DEFAULT_MODE = Mode.Recommend;

  private static final String NAME_PATTERN = "[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?";

  private final Map<?, ?> document;
  private final Optional<List<ClaimedNode>> selected;
  private final BiConsumer<String, String> errors;
  private boolean bad;

  /** What is read of {@code metadata}. */
  private record Metadata(String name, String namespace, boolean paused, Set<String> pausedNodes) {}

  /**
   * A reader of one document.
   *
   * @param selected the nodes that the document's selector matches in a cluster; empty outside a
   *     cluster, where the document lists its nodes
   * @param errors receives the path of each invalid field, and the reason
   */
  MemoryTierReader(
      Map<?, ?> document, Optional<List<ClaimedNode>> selected, BiConsumer<String, String> errors) {
    this.document = document;
    this.selected = selected;
    this.errors = errors;
  }

  /** The document's name, if it is valid. */
  static Optional<String> nameOf(Object document) {
    return document instanceof Map<?, ?> map
            && map.get("metadata") instanceof Map<?, ?> metadata
            && metadata.get("name") instanceof String name
            && name.matches(NAME_PATTERN)
        ? Optional.of(name)
        : Optional.empty();
  }

  /** The document, or empty if any field is invalid. */
  Optional<MemoryTierDocument> read() {
    YamlMapping top = new YamlMapping("", document, this::reject);
    requireConstant(top, "apiVersion", API_VERSION);
    requireConstant(top, "kind", KIND);
    Metadata metadata = readMetadata(top.mapping("metadata"));
    if (!top.has("spec")) {
      reject("spec", "is required");
    }
    MemoryTierDocument tier = readSpec(metadata, top.mapping("spec"));
    top.refuseUnknown();
    return bad ? Optional.empty() : Optional.of(tier);
  }

  private static void requireConstant(YamlMapping top, String field, String expected) {
    top.text(field)
        .filter(text -> !text.equals(expected))
        .ifPresent(text -> top.reject(field, "'" + text + "' is not " + expected));
  }

  private Metadata readMetadata(YamlMapping metadata) {
    String name = metadata.required("name", MemoryTierReader::name).orElse("");
    List.of("namespace", "labels", "annotations").forEach(metadata::ignore);
    metadata.refuseUnknown();
    // A namespace in a policy file has no meaning.
    String namespace =
        selected.isPresent() ? metadata.optional("namespace", null, text -> text) : null;
    YamlMapping annotations = metadata.mapping("annotations");
    return new Metadata(
        name,
        namespace,
        annotations.optional(
            NodePolicySpec.PAUSED_ANNOTATION,
            false,
            text -> FieldValues.oneOf(List.of(true, false), text)),
        annotations.optional(
            NodePolicySpec.PAUSED_NODES_ANNOTATION, Set.of(), MemoryTierReader::names));
  }

  private MemoryTierDocument readSpec(Metadata metadata, YamlMapping spec) {
    Mode mode = spec.optional("mode", DEFAULT_MODE, text -> FieldValues.oneOf(Mode.class, text));
    readStore(spec.mapping("store"));
    NodesReader.Nodes nodes = new NodesReader(spec.mapping("nodes")).read(selected);
    OnDelete onDelete =
        spec.optional(
            "onDelete", OnDelete.Release, text -> FieldValues.oneOf(OnDelete.class, text));
    Unpersisted unpersisted =
        spec.optional(
            "unpersisted", Unpersisted.Protect, text -> FieldValues.oneOf(Unpersisted.class, text));

    YamlMapping capacity = spec.mapping("capacity");
    MemorySize min = capacity.optional("min", MemorySize.ofBytes(0), Quantities::memorySize);
    MemorySize max = capacity.required("max", Quantities::memorySize).orElse(null);
    capacity.refuseUnknown();

    LawReader law = new LawReader(spec.mapping("law"));
    long intervalMillis = law.intervalMillis();
    YamlMapping memory = spec.mapping("memory");
    Long budgetBytes = memory.optional("total", null, MemoryTierReader::memoryBudgetBytes);
    memory.refuseUnknown();

    YamlMapping stale = spec.mapping("staleMetrics");
    long staleAfterMillis =
        stale.optional(
            "after",
            Math.max(Policy.DEFAULT_STALE_AFTER_MILLIS, intervalMillis),
            text -> staleAfterMillis(text, intervalMillis));
    stale.refuseUnknown();
    GuardPolicy guard = GuardReader.read(spec, law.threshold());
    SharePolicy share = readShare(spec.mapping("share"));
    spec.refuseUnknown();
    requireOrder(min, max, budgetBytes);
    return new MemoryTierDocument(
        metadata.name(),
        metadata.namespace(),
        metadata.paused(),
        metadata.pausedNodes(),
        mode,
        nodes.all(),
        nodes.listed(),
        min,
        max,
        law.type(),
        law.threshold(),
        law.gain(),
        law.forecast(),
        intervalMillis,
        budgetBytes,
        staleAfterMillis,
        onDelete,
        unpersisted,
        guard,
        share);
  }

  private static SharePolicy readShare(YamlMapping share) {
    double weight =
        share.optional("weight", SharePolicy.DEFAULT.weight(), MemoryTierReader::shareWeight);
    boolean byHits =
        share.optional("byHits", false, text -> FieldValues.oneOf(List.of(true, false), text));
    share.refuseUnknown();
    return new SharePolicy(weight, weight, byHits);
  }

  private static void readStore(YamlMapping store) {
    store.optional("type", StoreType.Alluxio, text -> FieldValues.oneOf(StoreType.class, text));
    store.refuseUnknown();
  }

  /** Bytes and percentages can be compared only where the memory is known. */
  private void requireOrder(MemorySize min, MemorySize max, Long budgetBytes) {
    if (max == null) {
      return;
    }
    boolean sameKind = (min.bytes() == null) == (max.bytes() == null);
    boolean comparable = sameKind || budgetBytes != null;
    long unit = budgetBytes == null ? Long.MAX_VALUE : budgetBytes;
    if (comparable && min.of(unit) > max.of(unit)) {
      reject("spec.capacity.max", "is below spec.capacity.min");
    }
  }

  private void reject(String field, String reason) {
    bad = true;
    errors.accept(field, reason);
  }

  /**
   * The name of a tier or a node.
   *
   * @throws IllegalArgumentException if the text is none
   */
  static String name(String text) {
    if (!text.matches(NAME_PATTERN)) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a name: letters, digits, '-', '_' and '.', at most 253");
    }
    return text;
  }

  private static Set<String> names(String text) {
    return Stream.of(text.split(",", -1))
        .map(String::strip)
        .filter(name -> !name.isEmpty())
        .map(MemoryTierReader::name)
        .collect(Collectors.toUnmodifiableSet());
  }

  // The wire's record defines the ranges, so each value is tried in one.

  private static long staleAfterMillis(String text, long intervalMillis) {
    long value = Quantities.millis(text);
    return FieldValues.inRange(value, () -> LawReader.trial(intervalMillis, value));
  }

  private static double shareWeight(String text) {
    double value = FieldValues.number(text);
    return FieldValues.inRange(value, () -> new SharePolicy(value, value, false));
  }

  private static Long memoryBudgetBytes(String text) {
    long value = Quantities.bytes(text);
    return FieldValues.inRange(value, () -> Policy.checkMemoryBudget(value));
  }
}
