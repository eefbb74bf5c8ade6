package io.dynims.policy;

/** What holds the tier. */
public enum StoreType {
  /** An Alluxio worker, by the alluxio-adapter. */
  Alluxio,
  /** Any other store that serves the Tier API. */
  Custom
}
