package io.dynims.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.policy.PolicyText;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NodeSelectorTest {

  private static final Map<String, String> LABELS =
      Map.of("tier", "true", "zone", "a", "empty", "");

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {} | true
          {matchLabels: {}} | true
          {matchExpressions: []} | true
          {matchLabels: {tier: "true"}} | true
          {matchLabels: {tier: "true", zone: a}} | true
          {matchLabels: {tier: "true", zone: b}} | false
          {matchLabels: {rack: r1}} | false
          {matchLabels: {empty: ""}} | true
          {matchLabels: {rack: ""}} | false
          {matchExpressions: [{key: zone, operator: In, values: [a, b]}]} | true
          {matchExpressions: [{key: zone, operator: In, values: [b]}]} | false
          {matchExpressions: [{key: rack, operator: In, values: [a]}]} | false
          {matchExpressions: [{key: zone, operator: NotIn, values: [a]}]} | false
          {matchExpressions: [{key: zone, operator: NotIn, values: [b]}]} | true
          {matchExpressions: [{key: rack, operator: NotIn, values: [a]}]} | true
          {matchExpressions: [{key: empty, operator: Exists}]} | true
          {matchExpressions: [{key: rack, operator: Exists}]} | false
          {matchExpressions: [{key: zone, operator: DoesNotExist}]} | false
          {matchExpressions: [{key: rack, operator: DoesNotExist}]} | true
          {matchExpressions: [{key: zone, operator: Exists}, {key: rack, operator: Exists}]} | false
          {matchLabels: {zone: b}, matchExpressions: [{key: zone, operator: Exists}]} | false
          """)
  void matchesNodesAsKubernetesDoes(String selector, boolean selected) {
    assertThat(new NodeSelector(value(selector)).matches(LABELS)).isEqualTo(selected);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          all | spec.nodes.selector: is required
          {matchLabels: [a]} | spec.nodes.selector.matchLabels: '[a]' is invalid
          {matchExpressions: {key: a}} | spec.nodes.selector.matchExpressions: '{key=a}' is invalid
          {matchExpressions: [{key: a, operator: in}]} | spec.nodes.selector.matchExpressions: 'in' is not an operator
          {matchExpressions: [{key: a}]} | spec.nodes.selector.matchExpressions: 'null' is not an operator
          {matchExpressions: [a]} | spec.nodes.selector.matchExpressions: 'null' is not an operator
          {matchExpressions: [{key: a, operator: NotIn}]} | spec.nodes.selector.matchExpressions: NotIn takes values
          {matchExpressions: [{key: a, operator: In, values: []}]} | spec.nodes.selector.matchExpressions: In takes values
          {matchExpressions: [{key: a, operator: Exists, values: [b]}]} | spec.nodes.selector.matchExpressions: Exists takes no values
          """)
  void anInvalidSelectorIsRejected(String selector, String message) {
    assertThatThrownBy(() -> new NodeSelector(value(selector)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }

  @Test
  void aMissingSelectorIsRejected() {
    assertThatThrownBy(() -> new NodeSelector(null)).hasMessageContaining("is required");
  }

  private static Object value(String yaml) {
    return PolicyText.documents(yaml).get(0);
  }
}
