package io.dynims.operator;

/** Takes what is to be told as events of MemoryTiers. */
interface Events {

  /** Something that is as it should be. */
  void normal(TierDocument about, String reason, String message);

  /** Something that needs attention. */
  void warning(TierDocument about, String reason, String message);
}
