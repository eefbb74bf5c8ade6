package io.dynims.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.core.wire.Require;
import io.dynims.simulation.Simulation;
import io.dynims.simulation.Tick;
import io.dynims.simulation.TraceRow;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads a trace row by row: CSV of {@code millis,jobBytes,totalBytes} in whole numbers without
 * quotes, and optionally {@code demandBytes}, which may be empty. The header may be left out; empty
 * lines are passed over; times must rise.
 */
public final class TraceReader implements Closeable {

  /** Exact in a double, and sums of two stay far from overflow. */
  private static final long MAX_BYTES = Require.MAX;

  private static final String HEADER_WITH_DEMAND = TraceRow.HEADER + "," + TraceRow.DEMAND;
  private static final String[] FIELDS = HEADER_WITH_DEMAND.split(",");
  private static final int REQUIRED = 3;
  private static final String BYTE_ORDER_MARK = "\uFEFF";

  private final BufferedReader lines;
  private final String name;
  private long lineNumber;
  private TraceRow last;

  /** A trace from this stream, under this name in messages. */
  public TraceReader(InputStream in, String name) {
    this.lines = new BufferedReader(new InputStreamReader(in, UTF_8));
    this.name = name;
  }

  /**
   * A trace from a file.
   *
   * @throws InputException when there is no such file, or it cannot be opened
   */
  public static TraceReader open(Path file) throws InputException {
    if (!Files.isRegularFile(file) && (Files.isDirectory(file) || !Files.exists(file))) {
      throw new InputException(
          file + ": " + (Files.isDirectory(file) ? "is a folder" : "does not exist"));
    }
    try {
      return new TraceReader(Files.newInputStream(file), file.toString());
    } catch (IOException e) {
      throw new InputException(file + ": cannot be opened: " + e.getMessage(), e);
    }
  }

  /**
   * The next row, or null after the last.
   *
   * @throws InputException naming file, line and column of what is wrong
   * @throws IOException when the rest cannot be read
   */
  public TraceRow next() throws IOException, InputException {
    String line = nextLine();
    if (line == null) {
      return null;
    }
    TraceRow row = row(line.split(",", -1));
    if (last != null && row.millis() <= last.millis()) {
      throw wrong(FIELDS[0], row.millis() + " is not after " + last.millis() + ", the row before");
    }
    last = row;
    return row;
  }

  /**
   * All rows that are left.
   *
   * @throws InputException naming file, line and column of what is wrong
   * @throws IOException when the rest cannot be read
   */
  public List<TraceRow> rest() throws IOException, InputException {
    List<TraceRow> rows = new ArrayList<>();
    for (TraceRow row = next(); row != null; row = next()) {
      rows.add(row);
    }
    return rows;
  }

  /**
   * Runs a simulation on all rows that are left.
   *
   * @throws InputException naming file, line and column of what is wrong
   * @throws IOException when the rest cannot be read
   */
  public void run(Simulation simulation, Consumer<Tick> out) throws IOException, InputException {
    for (TraceRow row = next(); row != null; row = next()) {
      simulation.accept(row, out);
    }
    simulation.finish(out);
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  private String nextLine() throws IOException {
    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
      lineNumber++;
      boolean first = lineNumber == 1;
      String text = first && line.startsWith(BYTE_ORDER_MARK) ? line.substring(1) : line;
      boolean header = first && isHeader(text.replace(" ", "").strip());
      if (!header && !text.isBlank()) {
        return text;
      }
    }
    return null;
  }

  private static boolean isHeader(String text) {
    return text.equals(TraceRow.HEADER) || text.equals(HEADER_WITH_DEMAND);
  }

  private TraceRow row(String[] values) throws InputException {
    if (values.length != REQUIRED && values.length != FIELDS.length) {
      throw wrong(
          null,
          "has "
              + values.length
              + " columns; expected are the three of "
              + TraceRow.HEADER
              + " and optionally "
              + TraceRow.DEMAND);
    }
    boolean hasDemand = values.length > REQUIRED && !values[REQUIRED].isBlank();
    return new TraceRow(
        number(values, 0, Long.MIN_VALUE / 2, Long.MAX_VALUE / 2),
        number(values, 1, 0, MAX_BYTES),
        number(values, 2, 1, MAX_BYTES),
        hasDemand ? number(values, REQUIRED, 0, MAX_BYTES) : null);
  }

  private long number(String[] values, int column, long least, long most) throws InputException {
    String text = values[column].strip();
    try {
      long value = Long.parseLong(text);
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw wrong(FIELDS[column], "'" + text + "' is not a whole number");
    }
    throw wrong(FIELDS[column], text + " is not from " + least + " to " + most);
  }

  private InputException wrong(String column, String what) {
    return new InputException(
        name + ", line " + lineNumber + (column == null ? "" : ", " + column) + ": " + what);
  }
}
