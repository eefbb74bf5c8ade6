package io.dynims.experiments.demo;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How much memory a load holds over time: linear between points, and constant before the first and
 * after the last. Two points of one time are a jump.
 *
 * @param points at least one, in order of time
 */
public record LoadProfile(List<Point> points) {

  /**
   * A point.
   *
   * @param millis milliseconds since the start of the load, at least 0
   * @param bytes the memory then, at least 0
   */
  public record Point(long millis, long bytes) {}

  /**
   * Checks the points.
   *
   * @throws IllegalArgumentException if there is none, one is negative, or they are out of order
   */
  public LoadProfile {
    points = List.copyOf(points);
    if (points.isEmpty()) {
      throw new IllegalArgumentException("a profile needs a point");
    }
    long lastMillis = 0;
    for (Point point : points) {
      if (point.millis() < lastMillis || point.bytes() < 0) {
        throw new IllegalArgumentException(text(point) + ": out of order, or below 0");
      }
      lastMillis = point.millis();
    }
  }

  /** A profile of one point. */
  public static LoadProfile startingAt(long bytes) {
    return new LoadProfile(List.of(new Point(0, bytes)));
  }

  /**
   * Reads points from words of the form {@code MILLIS:BYTES}.
   *
   * @throws IllegalArgumentException if one is not of that form, or the points are not a profile
   */
  static LoadProfile parse(String... words) {
    return new LoadProfile(Arrays.stream(words).map(LoadProfile::point).toList());
  }

  /** This profile with one more piece, during which memory goes to a number of bytes. */
  public LoadProfile then(long millis, long bytes) {
    List<Point> longer = new ArrayList<>(points);
    longer.add(new Point(durationMillis() + millis, bytes));
    return new LoadProfile(longer);
  }

  /** The time of the last point. */
  public long durationMillis() {
    return points.get(points.size() - 1).millis();
  }

  /** The most memory at any time. */
  long peakBytes() {
    return points.stream().mapToLong(Point::bytes).max().orElse(0);
  }

  /** The memory at a time; at the time of a jump, what it jumps to. */
  public long bytesAt(long millis) {
    Point before = points.get(0);
    for (Point point : points) {
      if (point.millis() > millis) {
        return between(before, point, millis);
      }
      before = point;
    }
    return before.bytes();
  }

  /** The words that {@link #parse} reads. */
  List<String> words() {
    return points.stream().map(LoadProfile::text).toList();
  }

  private static long between(Point before, Point after, long millis) {
    if (millis <= before.millis()) {
      return before.bytes();
    }
    double share = (double) (millis - before.millis()) / (after.millis() - before.millis());
    return before.bytes() + Math.round(share * (after.bytes() - before.bytes()));
  }

  private static String text(Point point) {
    return point.millis() + ":" + point.bytes();
  }

  private static Point point(String word) {
    int colon = word.indexOf(':');
    try {
      return new Point(
          Long.parseLong(word.substring(0, Math.max(0, colon))),
          Long.parseLong(word.substring(colon + 1)));
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("'" + word + "' is not MILLIS:BYTES", e);
    }
  }
}
