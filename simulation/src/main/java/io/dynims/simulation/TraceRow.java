package io.dynims.simulation;

/**
 * A node's memory at one tick, without its tier.
 *
 * @param millis the time, from any origin
 * @param jobBytes memory in use apart from the tier's
 * @param totalBytes the node's memory
 * @param demandBytes what the tier's data set would occupy; null if the trace does not say
 */
public record TraceRow(long millis, long jobBytes, long totalBytes, Long demandBytes) {

  public static final String HEADER = "millis,jobBytes,totalBytes";
  public static final String DEMAND = "demandBytes";

  /** A row that says nothing about the tier's data set. */
  public TraceRow(long millis, long jobBytes, long totalBytes) {
    this(millis, jobBytes, totalBytes, null);
  }

  /** Its first three columns as a line of CSV. */
  public String toCsv() {
    return millis + "," + jobBytes + "," + totalBytes;
  }

  /** All four columns as a line of CSV; the last is empty where it is unknown. */
  String toCsvWithDemand() {
    return toCsv() + "," + (demandBytes == null ? "" : demandBytes);
  }
}
