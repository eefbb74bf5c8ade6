package io.dynims.controller.kubernetes;

import java.util.List;
import java.util.Map;

/** A label selector as Kubernetes writes it: {@code matchLabels} and {@code matchExpressions}. */
final class NodeSelector {

  private final Map<?, ?> selector;

  /**
   * Takes the plain value.
   *
   * @throws IllegalArgumentException when it is no mapping
   */
  NodeSelector(Object selector) {
    if (!(selector instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException("spec.nodes.selector: is required");
    }
    this.selector = map;
  }

  /**
   * Whether it selects a node with these labels; an empty selector selects every node.
   *
   * @throws IllegalArgumentException when an operator is unknown
   */
  boolean selects(Map<String, String> labels) {
    Object wanted = selector.get("matchLabels");
    if (wanted instanceof Map<?, ?> map
        && !map.entrySet().stream().allMatch(e -> e.getValue().equals(labels.get(e.getKey())))) {
      return false;
    }
    return !(selector.get("matchExpressions") instanceof List<?> expressions)
        || expressions.stream().allMatch(e -> holds((Map<?, ?>) e, labels));
  }

  private static boolean holds(Map<?, ?> expression, Map<String, String> labels) {
    Object operator = expression.get("operator");
    String value = labels.get(expression.get("key"));
    List<?> values = expression.get("values") instanceof List<?> list ? list : List.of();
    return switch (String.valueOf(operator)) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      case "DoesNotExist" -> value == null;
      default ->
          throw new IllegalArgumentException(
              "spec.nodes.selector.matchExpressions: '" + operator + "' is no operator");
    };
  }
}
