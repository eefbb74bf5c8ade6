package io.dynims.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.simulation.TraceRow;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SyntheticTraceTest {

  private static final Path TRACES = Path.of("../experiments/traces");

  @ParameterizedTest
  @EnumSource
  void isShippedAsItsFirstSeedMakesIt(SyntheticTrace trace) throws Exception {
    StringWriter text = new StringWriter();
    trace.print(1, new PrintWriter(text));

    assertThat(Files.readString(TRACES.resolve(trace + ".csv"))).isEqualTo(text.toString());
    assertThat(text.toString().length()).isLessThan(200_000);
  }

  @ParameterizedTest
  @EnumSource
  void differsFromSeedToSeedAndFitsTheNode(SyntheticTrace trace) {
    assertThat(rows(trace, 2)).isNotEqualTo(rows(trace, 3));
    assertThat(rows(trace, 2))
        .allSatisfy(row -> assertThat(row.jobBytes()).isBetween(0L, row.totalBytes()));
  }

  @Test
  void makesHpccAsThePaperShowsIt() {
    List<TraceRow> rows = rows(SyntheticTrace.hpcc, 1);

    double peak = rows.stream().mapToLong(TraceRow::jobBytes).max().getAsLong();
    assertThat(peak).isBetween(74.9e9, 75.1e9);
  }

  private static List<TraceRow> rows(SyntheticTrace trace, long seed) {
    List<TraceRow> rows = new ArrayList<>();
    trace.generate(seed, rows::add);
    return rows;
  }
}
