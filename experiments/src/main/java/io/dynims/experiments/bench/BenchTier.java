package io.dynims.experiments.bench;

import picocli.CommandLine.Option;

/** The tier options of benchmarks that have a tier. */
public final class BenchTier {

  @Option(
      names = "--huge-pages",
      description =
          "Mount a tmpfs with huge pages for the tier while the benchmark runs; needs root.")
  private boolean hugePages;

  public boolean hugePages() {
    return hugePages;
  }

  /** The name of a benchmark's results with this kind of tier. */
  public String name(String benchmark) {
    return hugePages ? benchmark + "-huge-pages" : benchmark;
  }
}
