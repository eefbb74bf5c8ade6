package io.dynims.core.wire;

/** What happens to data that exists in the tier and nowhere else. */
public enum Unpersisted {
  /** It is never evicted; the capacity does not go below it. */
  Protect,
  /** It is evicted as any other data, and lost. */
  Evict
}
