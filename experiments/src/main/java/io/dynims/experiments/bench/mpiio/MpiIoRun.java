package io.dynims.experiments.bench.mpiio;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;

/**
 * What one run of {@code mpiio-bench} printed: the times of its slowest rank.
 *
 * @param accesses of all ranks together
 * @param checksum of what was read; must not depend on the cache
 * @param wrong how many blocks had wrong bytes; 0 if the program does not check them
 * @param causes what the slowest hundredth waited for: how many for nothing but memory, for a
 *     processor, for another process; all 0 if that was not watched, null if the program cannot
 * @param slowestCause the index of that of the slowest access
 * @param density how many accesses took so long: ten bins a decade, from 0.1 µs on; null if the
 *     program does not count them
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record MpiIoRun(
    String program,
    int ranks,
    double openSeconds,
    double accessSeconds,
    double closeSeconds,
    long accesses,
    double p50Seconds,
    double p99Seconds,
    double maxSeconds,
    String checksum,
    int wrong,
    int[] causes,
    int slowestCause,
    int[] density) {

  /** The time of an access of one rank, without opening and closing the file. */
  double microsPerAccess() {
    return accessSeconds * 1e6 * ranks / accesses;
  }

  /** The same with opening and closing the file. */
  double microsPerAccessInAll() {
    return (openSeconds + accessSeconds + closeSeconds) * 1e6 * ranks / accesses;
  }
}
