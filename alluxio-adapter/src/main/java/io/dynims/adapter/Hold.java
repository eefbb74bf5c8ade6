package io.dynims.adapter;

/** Keeps the store from evicting one block, from the grant until it is released or has ended. */
interface Hold {

  /** Whether the block cannot be evicted now. Never waits. */
  boolean isHeld();

  /** Whether the hold was released, or ended by the store. Never waits. */
  boolean isEnded();

  /** Lets the store evict the block again; does not wait. */
  void release();
}
