package io.dynims.torture.world;

import io.dynims.core.wire.Target;
import io.dynims.tier.TierRequest;

/** Hears what happens in a run; the rules do. */
public interface Seen {

  /** The loop of a node failed on something. */
  void failed(String node, RuntimeException failure);

  /** The job made a decision. */
  void decided(Target target);

  /** An adapter applied a controller's request. */
  void applied(AdapterHost adapter, TierRequest request);

  /** An adapter sets the limit of its store. */
  void limited(AdapterHost adapter, long bytes, Cause cause, long askedBytes);

  /** Something was reached; for the table of what the seeds reached. */
  void mark(String what);

  /** Why a limit is set. */
  enum Cause {
    Push,
    Guard,
    Restore,
    Foreign
  }
}
