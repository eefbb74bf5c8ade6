package io.dynims.operator;

/** Receives events about MemoryTiers. */
interface Events {

  /** Reports something expected. */
  void normal(TierDocument about, String reason, String message);

  /** Reports something that needs attention. */
  void warning(TierDocument about, String reason, String message);
}
