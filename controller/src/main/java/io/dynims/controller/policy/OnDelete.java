package io.dynims.controller.policy;

/** What becomes of a tier that no document claims any more. */
public enum OnDelete {
  /** It gets its greatest capacity. */
  Release,
  /** It stays as it is. */
  Keep
}
