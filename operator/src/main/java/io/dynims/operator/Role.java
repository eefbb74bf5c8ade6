package io.dynims.operator;

/** The role of a replica. */
public enum Role {
  /** Only watches and polls, ready to take over. */
  Standby,
  /** Publishes policies, pushes, and writes status and events. */
  Leader,
  /** Was the leader and knows no other; continues to push. */
  UnconfirmedLeader;

  /** Whether a replica with this role pushes to the adapters. */
  public boolean pushes() {
    return this != Standby;
  }
}
