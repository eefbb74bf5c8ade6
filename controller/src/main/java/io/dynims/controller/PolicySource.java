package io.dynims.controller;

import io.dynims.core.wire.TierKey;
import io.dynims.operator.Role;
import io.dynims.policy.files.PolicyFiles;
import io.vertx.core.Future;
import java.net.URI;
import java.util.Optional;

/** Where policies come from: policy files, or the MemoryTiers of a cluster. */
interface PolicySource extends AutoCloseable {

  /** Receives policies and roles, on any thread. */
  interface Listener {

    /** Receives the policies after every read, changed or not. */
    void policiesRead(PolicyFiles.Result policies);

    /** Receives this replica's new role. */
    void roleChanged(Role role);
  }

  /** This replica's role at the start. */
  Role initialRole();

  /** Starts to read policies; fails if the settings cannot work. */
  Future<?> start(Listener listener);

  /** What is missing before the policies can take effect; empty if nothing is. */
  Optional<String> missing(PolicyFiles.Result latest);

  /** The address of a node's adapter where it has one only; empty if none is known. */
  Optional<URI> adapter(String node);

  /** Reports the end of a release: whether the tier has its full capacity again. */
  void released(TierKey key, boolean succeeded);

  /** What is read, for log lines. */
  @Override
  String toString();

  @Override
  void close();
}
