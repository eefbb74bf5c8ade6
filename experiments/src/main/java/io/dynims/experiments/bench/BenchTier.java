package io.dynims.experiments.bench;

import picocli.CommandLine.Option;

/** Where the tier of a benchmark is; the options of those that have one. */
public final class BenchTier {

  @Option(
      names = "--huge-pages",
      description =
          "The tier is in a tmpfs of its own that takes huge pages, which is mounted meanwhile:"
              + " takes root.")
  private boolean hugePages;

  public boolean hugePages() {
    return hugePages;
  }

  /** The name of a benchmark's results with such a tier. */
  public String name(String benchmark) {
    return hugePages ? benchmark + "-huge-pages" : benchmark;
  }
}
