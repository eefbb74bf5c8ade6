package io.dynims.experiments.paper;

/** How the node's memory is divided, as in the paper's table of configurations. */
public enum MemorySetup {
  /** All memory that HPCC leaves at its peak belongs to Spark, which caches the data set itself. */
  RddCache("Spark(45)", true),
  /** A tier that fits beside HPCC at its peak. */
  StaticTier("Spark(20)/Alluxio(25)", true),
  /** A tier of most of the memory, sized by DynIMS. */
  Elastic("Spark(20)/DynIMS(60)", true),
  /** The same tier, never resized, on a node without HPCC. */
  UpperBound("Spark(20)/Alluxio(60)", false);

  private final String paperName;
  private final boolean besideHpcc;

  MemorySetup(String paperName, boolean besideHpcc) {
    this.paperName = paperName;
    this.besideHpcc = besideHpcc;
  }

  /** Its name in the paper, with the paper's gigabytes. */
  public String paperName() {
    return paperName;
  }

  /** Whether HPCC runs on the node. */
  boolean besideHpcc() {
    return besideHpcc;
  }

  /** Whether Spark reads past the tier and keeps what fits in its own memory. */
  boolean cachesInSpark() {
    return this == RddCache;
  }

  /** The capacity of the tier at the start, in bytes. */
  long tierBytes(PaperScale scale) {
    return switch (this) {
      case RddCache, StaticTier -> scale.staticTierBytes();
      case Elastic, UpperBound -> scale.elasticTierBytes();
    };
  }
}
