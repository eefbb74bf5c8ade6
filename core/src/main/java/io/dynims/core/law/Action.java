package io.dynims.core.law;

/** What a decision does to the capacity in force. */
public enum Action {
  Grow,
  Shrink,
  Hold
}
