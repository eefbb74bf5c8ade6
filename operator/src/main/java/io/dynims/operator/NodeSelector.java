package io.dynims.operator;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A Kubernetes label selector with {@code matchLabels} and {@code matchExpressions}. */
final class NodeSelector {

  private static final String FIELD = "spec.nodes.selector";
  private static final Set<String> OPERATORS = Set.of("In", "NotIn", "Exists", "DoesNotExist");

  private final Map<?, ?> labels;
  private final List<?> expressions;

  /**
   * Parses a selector.
   *
   * @throws IllegalArgumentException naming the invalid field
   */
  NodeSelector(Object selector) {
    if (!(selector instanceof Map<?, ?> map)) {
      throw new IllegalArgumentException(FIELD + ": is required");
    }
    labels = part(map, "matchLabels", Map.class, Map.of());
    expressions = part(map, "matchExpressions", List.class, List.of());
    expressions.forEach(NodeSelector::check);
  }

  private static <T> T part(Map<?, ?> selector, String name, Class<T> type, T defaultValue) {
    Object value = selector.get(name);
    if (value != null && !type.isInstance(value)) {
      throw new IllegalArgumentException(FIELD + "." + name + ": '" + value + "' is invalid");
    }
    return value == null ? defaultValue : type.cast(value);
  }

  private static void check(Object expression) {
    Object operator = expression instanceof Map<?, ?> map ? map.get("operator") : null;
    if (operator == null || !OPERATORS.contains(operator)) {
      throw new IllegalArgumentException(
          FIELD + ".matchExpressions: '" + operator + "' is not an operator");
    }
    boolean needsValues = operator.equals("In") || operator.equals("NotIn");
    if (values((Map<?, ?>) expression).isEmpty() == needsValues) {
      throw new IllegalArgumentException(
          FIELD
              + ".matchExpressions: "
              + operator
              + " takes "
              + (needsValues ? "" : "no ")
              + "values");
    }
  }

  /** Whether it matches a node's labels; an empty selector matches every node. */
  boolean matches(Map<String, String> nodeLabels) {
    return labels.entrySet().stream()
            .allMatch(e -> Objects.equals(e.getValue(), nodeLabels.get(e.getKey())))
        && expressions.stream().allMatch(e -> holds((Map<?, ?>) e, nodeLabels));
  }

  private static boolean holds(Map<?, ?> expression, Map<String, String> nodeLabels) {
    String value = nodeLabels.get(expression.get("key"));
    List<?> values = values(expression);
    return switch (expression.get("operator").toString()) {
      case "In" -> value != null && values.contains(value);
      case "NotIn" -> value == null || !values.contains(value);
      case "Exists" -> value != null;
      default -> value == null;
    };
  }

  private static List<?> values(Map<?, ?> expression) {
    return expression.get("values") instanceof List<?> list ? list : List.of();
  }
}
