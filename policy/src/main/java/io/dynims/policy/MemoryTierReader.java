package io.dynims.policy;

import io.dynims.core.config.Quantities;
import io.dynims.core.law.LawParameters;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.OnDelete;
import io.dynims.core.wire.Policy;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/** Reads a document of kind {@code MemoryTier} from its plain values and checks every field. */
final class MemoryTierReader {

  static final String API_VERSION = "dynims.io/v1alpha1";
  static final String KIND = "MemoryTier";

  private static final String NAME_PATTERN = "[A-Za-z0-9]([A-Za-z0-9._-]{0,251}[A-Za-z0-9])?";
  private static final double DEFAULT_THRESHOLD = 0.95;
  private static final double DEFAULT_GAIN = 0.5;
  private static final long DEFAULT_INTERVAL_MILLIS = 100;
  private static final long DEFAULT_STALE_AFTER_MILLIS = 2_000;

  private final Map<?, ?> document;
  private final Optional<List<ClaimedNode>> selected;
  private final BiConsumer<String, String> errors;
  private boolean bad;

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
    YamlMapping metadata = top.mapping("metadata");
    String name = readName(metadata);
    boolean paused = readPaused(metadata);
    if (!document.containsKey("spec")) {
      reject("spec", "is required");
    }
    MemoryTierDocument tier = readSpec(name, paused, top.mapping("spec"));
    top.refuseUnknown();
    return bad ? Optional.empty() : Optional.of(tier);
  }

  private static void requireConstant(YamlMapping top, String field, String expected) {
    top.text(field)
        .filter(text -> !text.equals(expected))
        .ifPresent(text -> top.reject(field, "'" + text + "' is not " + expected));
  }

  private static String readName(YamlMapping metadata) {
    String name = metadata.required("name", MemoryTierReader::name).orElse("");
    List.of("namespace", "labels", "annotations").forEach(metadata::ignore);
    metadata.refuseUnknown();
    return name;
  }

  private static boolean readPaused(YamlMapping metadata) {
    return metadata
        .mapping("annotations")
        .optional(
            NodePolicySpec.PAUSED_ANNOTATION, false, text -> oneOf(List.of(true, false), text));
  }

  private MemoryTierDocument readSpec(String name, boolean paused, YamlMapping spec) {
    Mode mode = spec.optional("mode", Mode.Enforce, text -> oneOf(Mode.class, text));
    readStore(spec.mapping("store"));
    List<ClaimedNode> nodes = readNodes(spec.mapping("nodes"));
    OnDelete onDelete =
        spec.optional("onDelete", OnDelete.Release, text -> oneOf(OnDelete.class, text));

    YamlMapping capacity = spec.mapping("capacity");
    BytesOrPercent min = capacity.optional("min", BytesOrPercent.NOTHING, BytesOrPercent::parse);
    BytesOrPercent max = capacity.required("max", BytesOrPercent::parse).orElse(null);
    capacity.refuseUnknown();

    YamlMapping law = spec.mapping("law");
    LawType type = law.optional("type", LawType.Feedback, text -> oneOf(LawType.class, text));
    double threshold = law.optional("threshold", DEFAULT_THRESHOLD, MemoryTierReader::threshold);
    double gain = law.optional("gain", DEFAULT_GAIN, MemoryTierReader::gain);
    long intervalMillis =
        law.optional("interval", DEFAULT_INTERVAL_MILLIS, MemoryTierReader::intervalMillis);
    law.refuseUnknown();

    YamlMapping memory = spec.mapping("memory");
    Long budgetBytes = memory.optional("total", null, MemoryTierReader::memoryBudgetBytes);
    memory.refuseUnknown();

    YamlMapping stale = spec.mapping("staleMetrics");
    long staleAfterMillis =
        stale.optional(
            "after",
            Math.max(DEFAULT_STALE_AFTER_MILLIS, intervalMillis),
            text -> staleAfterMillis(text, intervalMillis));
    stale.refuseUnknown();
    spec.refuseUnknown();
    requireOrder(min, max, budgetBytes);
    return new MemoryTierDocument(
        name,
        paused,
        mode,
        nodes,
        min,
        max,
        type,
        threshold,
        gain,
        intervalMillis,
        budgetBytes,
        staleAfterMillis,
        onDelete);
  }

  private static void readStore(YamlMapping store) {
    store.optional("type", StoreType.Alluxio, text -> oneOf(StoreType.class, text));
    store.refuseUnknown();
  }

  private List<ClaimedNode> readNodes(YamlMapping nodes) {
    if (selected.isPresent()) {
      nodes.ignore("selector");
      nodes.refuseUnknown();
      return selected.get();
    }
    if (nodes.has("selector")) {
      nodes.reject("selector", "needs a cluster; a policy file names its nodes in spec.nodes.list");
      return List.of();
    }
    List<ClaimedNode> read = new ArrayList<>();
    Set<String> names = new HashSet<>();
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
    nodes.refuseUnknown();
    return List.copyOf(read);
  }

  /** Bytes and percentages can be compared only where the memory is known. */
  private void requireOrder(BytesOrPercent min, BytesOrPercent max, Long budgetBytes) {
    if (max == null) {
      return;
    }
    boolean sameKind = min.isPercent() == max.isPercent();
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

  private static String name(String text) {
    if (!text.matches(NAME_PATTERN)) {
      throw new IllegalArgumentException(
          "'" + text + "' is not a name: letters, digits, '-', '_' and '.', at most 253");
    }
    return text;
  }

  private static <E extends Enum<E>> E oneOf(Class<E> type, String text) {
    return oneOf(List.of(type.getEnumConstants()), text);
  }

  private static <T> T oneOf(List<T> values, String text) {
    return values.stream()
        .filter(value -> value.toString().equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "'"
                        + text
                        + "' is not one of "
                        + String.join(", ", values.stream().map(Object::toString).toList())));
  }

  // The wire records define the ranges, so each value is tried in one.

  private static double threshold(String text) {
    double value = number(text);
    return inRange(value, () -> new LawParameters(value, 1, 0, 0));
  }

  private static double gain(String text) {
    double value = number(text);
    return inRange(value, () -> new LawParameters(0.5, value, 0, 0));
  }

  private static long intervalMillis(String text) {
    long value = Quantities.millis(text);
    return inRange(value, () -> trial(null, value, Policy.MAX_INTERVAL_MILLIS));
  }

  private static long staleAfterMillis(String text, long intervalMillis) {
    long value = Quantities.millis(text);
    return inRange(value, () -> trial(null, intervalMillis, value));
  }

  private static Long memoryBudgetBytes(String text) {
    long value = Quantities.bytes(text);
    return inRange(value, () -> trial(value, 100, 100));
  }

  private static Policy trial(Long budgetBytes, long intervalMillis, long staleAfterMillis) {
    return new Policy(
        "n",
        "t",
        Mode.Off,
        LawType.Feedback,
        0.5,
        1,
        0L,
        null,
        0L,
        null,
        budgetBytes,
        intervalMillis,
        staleAfterMillis,
        null);
  }

  private static <T> T inRange(T value, Runnable check) {
    try {
      check.run();
      return value;
    } catch (IllegalArgumentException e) {
      String message = e.getMessage();
      throw new IllegalArgumentException(message.substring(message.indexOf(": ") + 2), e);
    }
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + text + "' is not a number", e);
    }
  }
}
