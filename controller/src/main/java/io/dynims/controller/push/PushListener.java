package io.dynims.controller.push;

import io.dynims.controller.fleet.Tier;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.tier.TierReply;

/** Told of what the adapters answer. */
public interface PushListener {

  /**
   * A push was answered, or was not.
   *
   * @param tookNanos from the request to the answer
   */
  void pushed(Tier tier, Target target, TierReply reply, long tookNanos);

  /** A tier was asked what is in force. */
  void asked(Tier tier, TierReply reply);

  /** What the tier now stands at, for the job. */
  void ack(Ack ack);

  /** A tier that nobody claims any more has its greatest capacity again, or was given up. */
  void released(TierKey key, boolean done);
}
