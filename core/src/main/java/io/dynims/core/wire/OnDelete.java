package io.dynims.core.wire;

/** What becomes of a tier that nobody claims any more. */
public enum OnDelete {
  /** It gets the greatest capacity that its store can have, as without DynIMS. */
  Release,
  /** It stays as it is. */
  Keep
}
