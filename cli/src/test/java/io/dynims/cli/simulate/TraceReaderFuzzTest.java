package io.dynims.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.dynims.core.fuzz.SeedCorpus;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import io.dynims.simulation.TraceRow;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceReaderFuzzTest {

  private static final long MAX_BYTES = 1L << 53;

  @FuzzTest
  @DictionaryEntries({"millis,jobBytes,totalBytes", "demandBytes", ",", "-1", "9007199254740993"})
  void aTraceIsRefusedByLineOrHasRowsInOrderAndRange(byte[] csv) throws Exception {
    check(csv);
  }

  @Test
  void keptInputsAreRefusedOrAccepted() throws Exception {
    SeedCorpus.requireBothOutcomes(
        getClass(), "aTraceIsRefusedByLineOrHasRowsInOrderAndRange", TraceReaderFuzzTest::check);
  }

  private static Outcome check(byte[] csv) throws IOException {
    List<TraceRow> rows;
    try (TraceReader reader = new TraceReader(new ByteArrayInputStream(csv), "trace")) {
      rows = reader.rest();
    } catch (InputException e) {
      assertThat(e.getMessage()).startsWith("trace, line ");
      return Outcome.Refused;
    }
    for (int i = 0; i < rows.size(); i++) {
      TraceRow row = rows.get(i);
      assertThat(i == 0 || row.millis() > rows.get(i - 1).millis()).isTrue();
      assertThat(row.jobBytes()).isBetween(0L, MAX_BYTES);
      assertThat(row.totalBytes()).isBetween(1L, MAX_BYTES);
      if (row.demandBytes() != null) {
        assertThat(row.demandBytes()).isBetween(0L, MAX_BYTES);
      }
    }
    return rows.isEmpty() ? Outcome.Refused : Outcome.Accepted;
  }
}
