package io.dynims.core.loop;

/**
 * What part a tier takes in the steps of its node. Those of the first part that a tier has are
 * decided together; nobody remembers what is decided for a later one.
 */
enum StepPart {
  /** It is resized, and answers. */
  Resized,
  /** It is to be resized, but does not answer. It takes what the first part leaves of a step. */
  Unanswered,
  /** Its decisions are only shown: what it would be given beside all that are resized. */
  Shown,
  /** It is not decided, or has not told its capacity lately. */
  None
}
