package io.dynims.experiments.demo;

import java.util.List;

/** A number of bytes over time: at the start, the minimum, at the end; 0 if unknown. */
public record Extent(long start, long min, long end) {

  static Extent of(List<Long> values) {
    if (values.isEmpty()) {
      return new Extent(0, 0, 0);
    }
    return new Extent(
        values.get(0),
        values.stream().mapToLong(Long::longValue).min().orElse(0),
        values.get(values.size() - 1));
  }
}
