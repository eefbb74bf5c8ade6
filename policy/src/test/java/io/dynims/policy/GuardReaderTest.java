package io.dynims.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.MemorySize;
import io.dynims.core.wire.GuardPolicy;
import io.dynims.core.wire.OnLostControl;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Unpersisted;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GuardReaderTest {

  private static final String DOCUMENT =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: alluxio}
      spec:
        nodes: {list: [{name: node-1, adapter: "http://127.0.0.1:7070"}]}
        capacity: {max: 60Gi}
      """;

  private final PolicyRegistry registry = new PolicyRegistry();

  @Test
  void withoutAnyFieldTheGuardFollowsTheLawAndUnpersistedDataIsProtected() {
    Policy policy = policy("");

    assertThat(policy.guard()).isEqualTo(GuardPolicy.DEFAULT);
    assertThat(policy.unpersisted()).isEqualTo(Unpersisted.Protect);
  }

  @Test
  void anEmptyFieldIsAsIfItWereAbsent() {
    Policy policy =
        policy(
            """
              unpersisted:
              onLostControl:
              guard: {criticalUtilization: , pressureLimit: ~, fallbackCapacity: null}
              share: {weight: , byHits: }
            """);

    assertThat(policy).isEqualTo(policy(""));
    assertThat(policy("  share:\n  guard:\n")).isEqualTo(policy);
  }

  @Test
  void everyFieldIsRead() {
    Policy policy =
        policy(
            """
              unpersisted: Evict
              onLostControl: Fallback
              guard: {criticalUtilization: 0.98, pressureLimit: 25%, fallbackCapacity: 2Gi}
            """);

    assertThat(policy.unpersisted()).isEqualTo(Unpersisted.Evict);
    assertThat(policy.guard())
        .isEqualTo(
            new GuardPolicy(OnLostControl.Fallback, 0.98, 0.25, MemorySize.ofBytes(2L << 30)));
  }

  @Test
  void theFallbackMayBeAPercentage() {
    assertThat(policy("  onLostControl: Fallback\n  guard: {fallbackCapacity: 5%}\n").guard())
        .extracting(GuardPolicy::fallbackCapacity)
        .isEqualTo(MemorySize.ofRatio(0.05));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          onLostControl: Panic | spec.onLostControl | 'Panic' is not one of Follow, ShrinkOnly, Keep, Fallback
          onLostControl: Fallback | spec.guard.fallbackCapacity | is required; spec.onLostControl is Fallback
          guard: {fallbackCapacity: 1Gi} | spec.guard.fallbackCapacity | belongs to Fallback; spec.onLostControl is Follow
          guard: {criticalUtilization: 0.9} | spec.guard.criticalUtilization | 0.9 is below law.threshold, 0.95
          guard: {criticalUtilization: 1.1} | spec.guard.criticalUtilization | 1.1 is not above 0 and at most 1
          guard: {pressureLimit: 0%} | spec.guard.pressureLimit | 0.0 is not above 0 and at most 1
          guard: {brake: hard} | spec.guard.brake | is not a field; known here are criticalUtilization, fallbackCapacity, pressureLimit
          unpersisted: Lose | spec.unpersisted | 'Lose' is not one of Protect, Evict
          """,
      quoteCharacter = '"')
  void aWrongFieldIsRejectedByName(String line, String field, String reason) {
    registry.put("file", PolicyText.documents(DOCUMENT + "  " + line + "\n"));

    assertThat(registry.read().errors())
        .containsExactly(new PolicyError("file", "1 (alluxio)", field, reason));
  }

  private Policy policy(String lines) {
    registry.put("file", PolicyText.documents(DOCUMENT + lines));
    assertThat(registry.read().errors()).isEmpty();
    return registry.read().tiers().get(0).policy();
  }
}
