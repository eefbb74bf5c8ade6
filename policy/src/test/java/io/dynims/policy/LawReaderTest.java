package io.dynims.policy;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.ForecastParameters;
import io.dynims.core.law.LawType;
import io.dynims.core.law.MemorySize;
import io.dynims.core.wire.Policy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LawReaderTest {

  private static final long GIB = 1L << 30;

  private static final String DOCUMENT =
      """
      apiVersion: dynims.io/v1alpha1
      kind: MemoryTier
      metadata: {name: alluxio}
      spec:
        nodes: {list: [{name: node-1, adapter: "http://127.0.0.1:7070"}]}
        capacity: {max: 60Gi}
        law: %s
      """;

  @Test
  void everyFieldOfForecastIsRead() {
    Policy policy =
        policy(
            "{type: Forecast, threshold: 0.9, gain: 1, interval: 200ms, lookAhead: 1s, deadBand: 1%,"
                + " settle: 5m, headStart: 4Gi, reserve: 2%, maxGrow: 25%, maxShrink: 8Gi,"
                + " pressureLimit: 20%}");

    assertThat(policy.law()).isEqualTo(LawType.Forecast);
    assertThat(policy.gain()).isEqualTo(1);
    assertThat(policy.forecast())
        .isEqualTo(
            new ForecastParameters(
                1_000,
                0.01,
                300_000,
                MemorySize.ofBytes(4 * GIB),
                MemorySize.ofRatio(0.02),
                MemorySize.ofRatio(0.25),
                MemorySize.ofBytes(8 * GIB),
                0.2));
  }

  @ParameterizedTest(name = "{0} -> {1}, gain {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          {}               | Forecast | 0.75
          {type: Forecast} | Forecast | 0.75
          {type: Feedback} | Feedback | 0.5
          {type: Feedback, threshold: 0.95, gain: 0.5, interval: 100ms} | Feedback | 0.5
          {gain: 0.5}      | Forecast | 0.5
          """)
  void theDefaultOfTheGainIsTheLaws(String law, LawType type, double gain) {
    Policy policy = policy(law);

    assertThat(policy.law()).isEqualTo(type);
    assertThat(policy.gain()).isEqualTo(gain);
    assertThat(policy.forecast()).isEqualTo(type.defaults(100));
  }

  @ParameterizedTest(name = "{0}: {1} ms ahead, settled after {2} ms")
  @CsvSource({"100ms, 150, 200", "1s, 1500, 2000", "1m, 60000, 120000", "1h, 60000, 600000"})
  void theTimesFollowTheInterval(String interval, long lookAheadMillis, long settleMillis) {
    Policy policy = policy("{interval: " + interval + "}");

    assertThat(policy.forecast().lookAheadMillis()).isEqualTo(lookAheadMillis);
    assertThat(policy.forecast().settleMillis()).isEqualTo(settleMillis);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "gain: 1",
        "lookAhead: 0s",
        "lookAhead: 60s",
        "deadBand: 0%",
        "deadBand: 10%",
        "settle: 0s",
        "settle: 10m",
        "headStart: 1",
        "headStart: 100%",
        "reserve: 0",
        "reserve: 0%",
        "maxGrow: 0.5%",
        "maxShrink: 1.5Gi",
        "pressureLimit: 0.1%",
        "pressureLimit: 100%"
      })
  void theEndsOfTheRangesAreAccepted(String field) {
    assertThat(read("{" + field + "}").errors()).isEmpty();
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gain: 0              | gain          | 0.0 is not above 0 and at most 1
          gain: 1.01           | gain          | 1.01 is not above 0 and at most 1; above it Forecast is unstable
          lookAhead: 60001ms   | lookAhead     | 60001 is not from 0 to 60000
          lookAhead: -1s       | lookAhead     | '-1s' is not a duration such as
          lookAhead: 5         | lookAhead     | '5' is not a duration such as
          deadBand: 10.1%      | deadBand      | is not from 0 to 0.1
          deadBand: 0.005      | deadBand      | '0.005' is not a percentage from 0% to 100%
          deadBand: 1Gi        | deadBand      | '1Gi' is not a percentage from 0% to 100%
          settle: 601s         | settle        | 601000 is not from 0 to 600000
          headStart: 0         | headStart     | 0 is not above 0
          headStart: 0%        | headStart     | 0 is not above 0
          headStart: 101%      | headStart     | '101%' is not a percentage from 0% to 100%
          headStart: far       | headStart     | 'far' is not a number of bytes such as
          reserve: -1          | reserve       | '-1' is not a number of bytes such as
          maxGrow: 0           | maxGrow       | 0 is not above 0
          maxShrink: 0Gi       | maxShrink     | 0 is not above 0
          pressureLimit: 0%    | pressureLimit | 0.0 is not above 0 and at most 1
          pressureLimit: 101%  | pressureLimit | '101%' is not a percentage from 0% to 100%
          lookahead: 1s        | lookahead     | is not a field; known here are deadBand, gain, headStart, interval, lookAhead
          """)
  void aBadParameterIsRefusedWithItsRange(String bad, String field, String reason) {
    assertRefused("{type: Forecast, " + bad + "}", field, reason);
    assertRefused("{" + bad + "}", field, reason);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lookAhead: 1s",
        "deadBand: 1%",
        "settle: 1s",
        "headStart: 1Gi",
        "reserve: 1Gi",
        "maxGrow: 1Gi",
        "maxShrink: 1Gi",
        "pressureLimit: 10%"
      })
  void whatBelongsToForecastIsRefusedForFeedback(String field) {
    assertRefused(
        "{type: Feedback, " + field + "}",
        field.substring(0, field.indexOf(':')),
        "is a parameter of Forecast; spec.law.type is Feedback");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "lookAhead",
        "deadBand",
        "settle",
        "headStart",
        "reserve",
        "maxGrow",
        "maxShrink",
        "pressureLimit"
      })
  void anEmptyParameterIsAsIfItWereAbsent(String field) {
    assertThat(policy("{" + field + ": }")).isEqualTo(policy("{}"));
    assertThat(policy("{type: Feedback, " + field + ": }")).isEqualTo(policy("{type: Feedback}"));
  }

  @Test
  void allErrorsAreReportedAtOnce() {
    assertThat(read("{gain: 2, lookAhead: 2m, maxGrow: 0}").errors())
        .extracting(PolicyError::field)
        .containsExactly("spec.law.gain", "spec.law.lookAhead", "spec.law.maxGrow");
  }

  private static void assertRefused(String law, String field, String reason) {
    assertThat(read(law).errors())
        .singleElement()
        .satisfies(
            error -> {
              assertThat(error.field()).isEqualTo("spec.law." + field);
              assertThat(error.reason()).contains(reason);
            });
  }

  private static Policy policy(String law) {
    PolicySet set = read(law);
    assertThat(set.errors()).isEmpty();
    return set.tiers().get(0).policy();
  }

  private static PolicySet read(String law) {
    PolicyRegistry registry = new PolicyRegistry();
    registry.put("a.yaml", PolicyText.documents(DOCUMENT.formatted(law)));
    return registry.read();
  }
}
