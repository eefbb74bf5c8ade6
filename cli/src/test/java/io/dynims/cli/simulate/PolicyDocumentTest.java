package io.dynims.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.Policy;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PolicyDocumentTest {

  private static final Path PAPER = Path.of("../experiments/traces/paper.yaml");

  @TempDir private Path folder;

  @Test
  void takesTheDefaultsOfAnotherLawButKeepsThresholdAndInterval() throws Exception {
    Path file =
        file(
            """
            apiVersion: dynims.io/v1alpha1
            kind: MemoryTier
            metadata: {name: alluxio}
            spec:
              nodes: {selector: {}}
              capacity: {max: 60G}
              law: {type: Feedback, threshold: 0.8, gain: 1.7, interval: 200ms}
            """);

    Policy forecast = PolicyDocument.read(file, LawType.Forecast);

    assertThat(forecast.law()).isEqualTo(LawType.Forecast);
    assertThat(forecast.gain()).isEqualTo(LawType.Forecast.defaultGain());
    assertThat(forecast.forecast()).isEqualTo(LawType.Forecast.defaults(200));
    assertThat(forecast.threshold()).isEqualTo(0.8);
    assertThat(forecast.intervalMillis()).isEqualTo(200);
    assertThat(PolicyDocument.read(file, LawType.Feedback)).isEqualTo(PolicyDocument.read(file));
  }

  @Test
  void readsTableOneOfThePaper() throws Exception {
    var policy = PolicyDocument.read(PAPER);

    assertThat(policy.threshold()).isEqualTo(0.95);
    assertThat(policy.gain()).isEqualTo(0.5);
    assertThat(policy.minBytes()).isZero();
    assertThat(policy.maxBytes()).isEqualTo(60_000_000_000L);
    assertThat(policy.intervalMillis()).isEqualTo(100);
  }

  @Test
  void namesEveryFieldThatIsWrong() throws Exception {
    String bad = Files.readString(PAPER).replace("0.95", "1.5").replace("60G", "lots");

    assertThatThrownBy(() -> PolicyDocument.read(file(bad)))
        .isInstanceOf(InputException.class)
        .hasMessageContainingAll(
            "policy.yaml, document 1 (alluxio), spec.law.threshold: 1.5",
            "spec.capacity.max: 'lots'");
  }

  @Test
  void refusesParametersOfALawAsTheControllerDoes() throws Exception {
    String forecast = Files.readString(PAPER).replace("type: Feedback, ", "");

    assertThatThrownBy(
            () ->
                PolicyDocument.read(file(forecast.replace("gain: 0.5", "gain: 2, deadBand: 11%"))))
        .hasMessageContainingAll(
            "spec.law.gain: 2.0 is not above 0 and at most 1",
            "spec.law.deadBand: 0.11 is not from 0 to 0.1");
    assertThatThrownBy(
            () ->
                PolicyDocument.read(
                    file(Files.readString(PAPER).replace("gain: 0.5", "settle: 1s"))))
        .hasMessageContaining(
            "spec.law.settle: is a parameter of Forecast; spec.law.type is Feedback");
  }

  @Test
  void namesLineAndColumnOfWhatIsNotYaml() {
    assertThatThrownBy(() -> PolicyDocument.read(file("kind: [")))
        .hasMessageContainingAll("policy.yaml: not YAML", "line 1, column 8");
  }

  @Test
  void takesOneDocumentAlone() throws Exception {
    String one = Files.readString(PAPER);

    assertThatThrownBy(() -> PolicyDocument.read(file("")))
        .hasMessageContaining("has 0 documents; a simulation takes one MemoryTier");
    assertThatThrownBy(() -> PolicyDocument.read(file(one + "---\n" + one)))
        .hasMessageContaining("has 2 documents; a simulation takes one MemoryTier");
    assertThatThrownBy(() -> PolicyDocument.read(folder.resolve("none.yaml")))
        .hasMessageContaining("none.yaml: does not exist");
  }

  private Path file(String text) throws Exception {
    return Files.writeString(folder.resolve("policy.yaml"), text);
  }
}
