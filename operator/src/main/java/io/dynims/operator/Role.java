package io.dynims.operator;

/** What a replica does. */
public enum Role {
  /** Nothing but watch, ready to take over. */
  Standby,
  /** Publishes policies, pushes, and writes status. */
  Leader,
  /** Pushes on: it was the leader, and nobody else is known to be. */
  UnconfirmedLeader;

  /** Whether it pushes to the adapters. */
  public boolean pushes() {
    return this != Standby;
  }
}
