package io.dynims.cli.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.simulation.TraceRow;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceReaderTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "millis,jobBytes,totalBytes\n0,1,2\n100,3,4\n",
        "0,1,2\n100,3,4",
        "\uFEFFmillis, jobBytes, totalBytes\r\n0,1,2\r\n\r\n 100 , 3 , 4 \r\n"
      })
  void readsRows(String text) throws Exception {
    TraceReader trace = Runs.trace(text);

    assertThat(trace.next()).isEqualTo(new TraceRow(0, 1, 2));
    assertThat(trace.next()).isEqualTo(new TraceRow(100, 3, 4));
    assertThat(trace.next()).isNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0,x,2        | 'trace.csv, line 3, jobBytes: ''x'' is not a whole number'",
        "0,1,         | 'trace.csv, line 3, totalBytes: '''' is not a whole number'",
        "1e3,1,2      | 'trace.csv, line 3, millis: ''1e3'' is not a whole number'",
        "0,-1,2       | 'trace.csv, line 3, jobBytes: -1 is not from 0 to 9007199254740992'",
        "0,1,0        | 'trace.csv, line 3, totalBytes: 0 is not from 1 to 9007199254740992'",
        "-5,1,2       | 'trace.csv, line 3, millis: -5 is not after -5, the row before'",
        "0,1          | 'trace.csv, line 3: has 2 columns; expected are the three of millis,jobBytes,totalBytes and optionally demandBytes'",
        "0,1,2,x      | 'trace.csv, line 3, demandBytes: ''x'' is not a whole number'",
        "0,1,2,3,4    | 'trace.csv, line 3: has 5 columns; expected are the three of millis,jobBytes,totalBytes and optionally demandBytes'"
      })
  void namesLineAndColumnOfWhatIsWrong(String line, String message) throws Exception {
    TraceReader trace = Runs.trace("millis,jobBytes,totalBytes\n-5,1,2\n" + line + "\n");
    trace.next();

    assertThatThrownBy(trace::next).isInstanceOf(InputException.class).hasMessage(message);
  }

  @Test
  void refusesAHeaderOfOtherColumns() {
    assertThatThrownBy(() -> Runs.trace("time,used,total\n0,1,2\n").next())
        .hasMessage("trace.csv, line 1, millis: 'time' is not a whole number");
  }

  @Test
  void namesAFileThatIsNotThere(@TempDir Path folder) {
    assertThatThrownBy(() -> TraceReader.open(folder.resolve("none.csv")))
        .hasMessageEndingWith("none.csv: does not exist");
    assertThatThrownBy(() -> TraceReader.open(folder)).hasMessageEndingWith(": is a folder");
  }
}
