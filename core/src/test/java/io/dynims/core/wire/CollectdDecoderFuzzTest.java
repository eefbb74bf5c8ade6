package io.dynims.core.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryFile;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.dynims.core.fuzz.SeedCorpus;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CollectdDecoderFuzzTest {

  private static final long MAX_MILLIS = 253_402_300_800_000L;
  private static final byte[] GOOD =
      """
      [{"values":[100,30],"dsnames":["mem_total","mem_available"],"time":7,"host":"good",\
      "plugin":"dynims","type":"dynims_memory"}]"""
          .getBytes(UTF_8);
  private static final MemoryReading GOOD_READING = new MemoryReading("good", 7_000, 0, 100, 30);

  /** Reused, as the job does: no message may leave anything behind. */
  private final CollectdDecoder decoder = new CollectdDecoder();

  @FuzzTest
  @DictionaryFile(resourcePath = "/io/dynims/core/fuzz/json.dict")
  void aMessageIsRefusedAsAWholeOrGivesReadingsInRange(byte[] message) throws Exception {
    check(message);
  }

  @Test
  void keptInputsAreRefusedOrAccepted() throws Exception {
    SeedCorpus.requireBothOutcomes(
        getClass(), "aMessageIsRefusedAsAWholeOrGivesReadingsInRange", this::check);
  }

  private Outcome check(byte[] message) throws WireException {
    List<MemoryReading> readings = new ArrayList<>();
    boolean refused = false;
    try {
      decoder.decode(message, readings::add);
    } catch (WireException e) {
      assertThat(e).hasMessageStartingWith("collectd: ");
      assertThat(readings).isEmpty();
      refused = true;
    }
    readings.forEach(CollectdDecoderFuzzTest::requireInRange);

    List<MemoryReading> next = new ArrayList<>();
    decoder.decode(GOOD, next::add);
    assertThat(next).as("the message after").containsExactly(GOOD_READING);
    return refused || readings.isEmpty() ? Outcome.Refused : Outcome.Accepted;
  }

  private static void requireInRange(MemoryReading reading) {
    assertThat(reading.node()).isNotBlank().hasSizeLessThanOrEqualTo(253);
    assertThat(reading.sampledMillis()).isBetween(0L, MAX_MILLIS);
    assertThat(reading.totalBytes()).isBetween(0L, Require.MAX);
    assertThat(reading.availableBytes()).isBetween(0L, reading.totalBytes());
    assertThat(reading.usedBytes(0)).isBetween(0L, reading.totalBytes());
    assertThat(Integer.bitCount(reading.parts())).isLessThanOrEqualTo(1);
    if (reading.tierUse() != null) {
      assertThat(reading.tierUse().tier()).isNotEmpty().hasSizeLessThanOrEqualTo(253);
      assertThat(reading.tierUse().usedBytes()).isBetween(0L, Require.MAX);
    }
    assertThat(reading.heartbeatMillis()).isBetween(0L, 3_600_000L);
    assertThat(reading.toleranceBytes()).isBetween(0L, Require.MAX);
    if (reading.stalledMicros() != null) {
      assertThat(reading.stalledMicros()).isBetween(0L, Require.MAX);
    }
  }
}
