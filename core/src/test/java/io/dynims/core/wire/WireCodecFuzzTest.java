package io.dynims.core.wire;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.dynims.core.fuzz.CodecProperties;
import io.dynims.core.fuzz.SeedCorpus;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WireCodecFuzzTest {

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/dynims/core/fuzz/json.dict")
  void bytesAreRefusedOrGiveAWholeRecord(byte[] json) {
    CodecProperties.check(WireCodec.POLICY, Policy.class, json);
    CodecProperties.check(WireCodec.TARGET, Target.class, json);
    CodecProperties.check(WireCodec.ACK, Ack.class, json);
  }

  @Test
  void soDoesAKeptInputWithAnyValueReplaced() throws Exception {
    SeedCorpus.requireBothOutcomes(
        getClass(),
        "bytesAreRefusedOrGiveAWholeRecord",
        json ->
            Stream.of(
                    CodecProperties.checkWithNeighbours(WireCodec.POLICY, Policy.class, json),
                    CodecProperties.checkWithNeighbours(WireCodec.TARGET, Target.class, json),
                    CodecProperties.checkWithNeighbours(WireCodec.ACK, Ack.class, json))
                .min(Enum::compareTo)
                .orElse(Outcome.Refused));
  }
}
