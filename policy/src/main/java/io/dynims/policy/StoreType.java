package io.dynims.policy;

/** The kind of store behind a tier. */
public enum StoreType {
  /** An Alluxio worker, by the alluxio-adapter. */
  Alluxio,
  /** A Redis or Valkey server, by the redis-adapter. */
  Redis,
  /** A memcached server, by the memcached-adapter. */
  Memcached,
  /** A cache under MPI-IO, by the mpiio-adapter. */
  MpiIo,
  /** Any other store that serves the Tier API. */
  Custom
}
