package io.dynims.simulation;

/**
 * Memory that jobs take and give back: it rises in a straight line, stays, and falls at once.
 *
 * @param startMillis when it begins
 * @param riseMillis how long it rises, at least 0
 * @param bytes how much it is at most
 * @param endMillis when it is given back
 */
public record Load(long startMillis, long riseMillis, long bytes, long endMillis) {

  /** How much it is at a time. */
  public long bytesAt(double millis) {
    if (millis < startMillis || millis >= endMillis) {
      return 0;
    }
    double since = millis - startMillis;
    return since >= riseMillis ? bytes : (long) (bytes * since / riseMillis);
  }
}
