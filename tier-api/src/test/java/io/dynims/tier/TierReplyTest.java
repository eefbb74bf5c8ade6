package io.dynims.tier;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.core.wire.AckStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TierReplyTest {

  private static final String VALID =
      """
      {"tier": "memory", "capacityBytes": 60, "minBytes": 10, "maxBytes": 100, "usedBytes": 50,
       "reservedBytes": 40, "unevictableBytes": 0, "storeVersion": "1", "nodeMemoryBytes": 200,
       "sampledMillis": 1, "leaseHeld": true, "hitRatio": 1}
      """;

  @Test
  void readsTheStateOfATier() {
    TierReply reply = TierReply.read(200, VALID.getBytes(UTF_8));

    assertThat(reply.status()).isEqualTo(AckStatus.Applied);
    assertThat(reply.message()).isEmpty();
    assertThat(reply.tier())
        .isEqualTo(
            new TierStatus("memory", 60, 10, 100, 50, 40, 0, null, 1.0, "1", 200L, null)
                .with(null, 1L, true, null, null, null, null, null));
  }

  /** The adapters of other stores may answer anything. */
  @ParameterizedTest
  @CsvSource({
    "capacityBytes, -1, capacityBytes: -1 is below 0",
    "minBytes, -1, minBytes: -1 is below 0",
    "minBytes, 101, 'minBytes: 101 is above maxBytes, 100'",
    "maxBytes, -1, maxBytes: -1 is below 0",
    "usedBytes, -1, usedBytes: -1 is below 0",
    "reservedBytes, -1, reservedBytes: -1 is below 0",
    "unpersistedBytes, -1, unpersistedBytes: -1 is below 0",
    "residentBytes, -1, residentBytes: -1 is below 0",
    "capacityBytes, 9007199254740993, capacityBytes: 9007199254740993 is above 9007199254740992",
    "unpersistedBytes, 9223372036854775807, 'is above 9007199254740992'",
    "unpersistedBytes, 9223372036854775808, unpersistedBytes",
    "unevictableBytes, -1, unevictableBytes: -1 is below 0",
    "nodeMemoryBytes, -1, nodeMemoryBytes: -1 is below 0",
    "sampledMillis, -1, sampledMillis: -1 is below 0",
    "measuredMillis, -1, measuredMillis: -1 is below 0",
    "hitRatio, 1.5, hitRatio: 1.5 is not from 0 to 1",
    "hitRatio, -0.1, hitRatio: -0.1 is not from 0 to 1",
    "usedBytes, null, usedBytes",
    "usedBytes, 1.5, usedBytes",
  })
  void anInvalidStateFailsAndNamesTheField(String field, String value, String expected) {
    String body =
        VALID
            .replaceFirst(
                "\\{", "{\"unpersistedBytes\": 0, \"residentBytes\": 0, \"measuredMillis\": 0, ")
            .replaceAll("\"" + field + "\": [\\d.]+", "\"" + field + "\": " + value);

    for (int httpStatus : new int[] {200, 202}) {
      TierReply reply = TierReply.read(httpStatus, body.getBytes(UTF_8));
      assertThat(reply.status()).isEqualTo(AckStatus.Failed);
      assertThat(reply.tier()).isNull();
      assertThat(reply.message())
          .startsWith("HTTP " + httpStatus + " with an invalid body: TierStatus: ")
          .contains(expected);
    }
  }

  @Test
  void aPartialReplySaysWhy() {
    assertThat(TierReply.read(202, VALID.getBytes(UTF_8)).message())
        .isEqualTo("outside the store's range of 10 to 100 bytes, or not finished yet");
    String pinned = VALID.replace("\"unevictableBytes\": 0", "\"unevictableBytes\": 7");
    assertThat(TierReply.read(202, pinned.getBytes(UTF_8)).message())
        .isEqualTo("7 bytes cannot be evicted now");
  }

  @Test
  void anErrorAnswerFailsWithItsDetail() {
    var problem = new Problem("Store unavailable", 503, "no worker", null);

    assertThat(TierReply.read(503, TierApi.PROBLEM.encode(problem)).message())
        .isEqualTo("HTTP 503, Store unavailable: no worker");
    assertThat(TierReply.read(502, "<html>".getBytes(UTF_8)).message()).isEqualTo("HTTP 502");
  }

  @Test
  void onlyAFailedReplyHasNoState() {
    assertThatThrownBy(() -> new TierReply(AckStatus.Applied, null, ""))
        .hasMessage("tier: null in a reply that is Applied");
  }
}
