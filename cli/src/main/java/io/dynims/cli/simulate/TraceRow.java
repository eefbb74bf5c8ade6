package io.dynims.cli.simulate;

/**
 * A node's memory at one tick, without its tier.
 *
 * @param millis the time, from any origin
 * @param jobBytes memory in use apart from the tier's
 * @param totalBytes the node's memory
 */
public record TraceRow(long millis, long jobBytes, long totalBytes) {

  static final String HEADER = "millis,jobBytes,totalBytes";

  /** The row as a line of CSV. */
  public String toCsv() {
    return millis + "," + jobBytes + "," + totalBytes;
  }
}
