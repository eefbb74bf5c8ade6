package io.dynims.policy;

/** The kind of store behind a tier. */
public enum StoreType {
  /** An Alluxio worker, by the alluxio-adapter. */
  Alluxio,
  /** Any other store that serves the Tier API. */
  Custom
}
