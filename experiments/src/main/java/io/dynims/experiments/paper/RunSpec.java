package io.dynims.experiments.paper;

import io.dynims.core.law.LawType;

/**
 * One run of a data job.
 *
 * @param setup how the memory is divided
 * @param dataBytes the data set
 * @param iterations how often it is read, at least 1
 * @param storeBytesPerSecond what the under store delivers
 * @param law the law of an elastic tier
 * @param load the name of what plays HPCC
 * @param repetition from 1
 */
public record RunSpec(
    MemorySetup setup,
    DataJob job,
    long dataBytes,
    int iterations,
    long storeBytesPerSecond,
    LawType law,
    String load,
    int repetition) {

  /** What tells this run from others: the key of its result. */
  public String id() {
    return String.join(
        "/",
        setup.name(),
        job.name(),
        (dataBytes >> 20) + "MiB",
        iterations + "x",
        storeBytesPerSecond / 1_000_000 + "MBps",
        setup == MemorySetup.Elastic ? law.name() : "-",
        setup.besideHpcc() ? load : "-",
        Integer.toString(repetition));
  }
}
