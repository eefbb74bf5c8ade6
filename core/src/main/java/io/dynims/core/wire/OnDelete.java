package io.dynims.core.wire;

/** What happens to a tier when no policy names it any more. */
public enum OnDelete {
  /** It gets its store's maximum capacity back, as without DynIMS. */
  Release,
  /** It stays as it is. */
  Keep
}
