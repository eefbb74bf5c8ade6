package io.dynims.tier;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.dynims.core.fuzz.CodecProperties;
import io.dynims.core.fuzz.SeedCorpus;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import io.dynims.core.wire.AckStatus;
import org.junit.jupiter.api.Test;

/** An answer of an adapter, with each HTTP status that matters. */
class TierReplyFuzzTest {

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/dynims/core/fuzz/json.dict")
  void everyBodyGivesAReply(byte[] body) {
    check(body);
  }

  @Test
  void keptInputsAreRefusedOrAccepted() throws Exception {
    SeedCorpus.requireBothOutcomes(getClass(), "everyBodyGivesAReply", TierReplyFuzzTest::check);
  }

  @Test
  void aKeptInputWithAnyValueReplacedIsRefusedOrWhole() throws Exception {
    SeedCorpus.requireBothOutcomes(
        getClass(),
        "everyBodyGivesAReply",
        body -> {
          CodecProperties.checkWithNeighbours(TierApi.DECISIONS, GuardDecisions.class, body);
          return CodecProperties.checkWithNeighbours(TierApi.STATUS, TierStatus.class, body);
        });
  }

  private static Outcome check(byte[] body) {
    Outcome decoded = CodecProperties.check(TierApi.STATUS, TierStatus.class, body);
    boolean accepted = decoded == Outcome.Accepted;
    requireReply(200, body, accepted ? AckStatus.Applied : AckStatus.Failed);
    requireReply(202, body, accepted ? AckStatus.Partial : AckStatus.Failed);
    requireReply(409, body, AckStatus.Failed);
    CodecProperties.check(TierApi.PROBLEM, Problem.class, body);
    CodecProperties.check(TierApi.DECISIONS, GuardDecisions.class, body);
    return decoded;
  }

  private static void requireReply(int httpStatus, byte[] body, AckStatus expected) {
    TierReply reply = TierReply.read(httpStatus, body);
    assertThat(reply.status()).isEqualTo(expected);
    assertThat(reply.tier() == null).isEqualTo(expected == AckStatus.Failed);
    assertThat(reply.message().isEmpty()).isEqualTo(expected == AckStatus.Applied);
    if (reply.tier() != null) {
      assertThat(reply.tier().minBytes()).isBetween(0L, reply.tier().maxBytes());
      assertThat(reply.tier().capacityBytes()).isNotNegative();
    }
  }
}
