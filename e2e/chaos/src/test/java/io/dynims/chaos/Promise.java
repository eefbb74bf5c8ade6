package io.dynims.chaos;

/** What must hold while a fault lasts. Correct bytes and kept policies are always promised. */
enum Promise {
  /** The node never needs more than its memory. */
  NeverAboveMemory,

  /** Nothing about memory: what frees it, or what would ask for that, does not run. */
  CorrectBytesOnly
}
