package io.dynims.core.loop;

/**
 * What part a tier takes in the steps of its node. Those of the first part that a tier has are
 * decided together. Those of a later one are shown what they would be given beside all of the parts
 * before; nobody remembers that.
 */
enum StepPart {
  /** It is resized, and answers. */
  Resized,
  /** It is to be resized, but does not answer. */
  Unanswered,
  /** Its decisions are only shown. */
  Shown,
  /** It is not decided, or has not told its capacity lately. */
  None
}
