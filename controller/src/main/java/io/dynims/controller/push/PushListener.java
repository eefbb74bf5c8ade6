package io.dynims.controller.push;

import io.dynims.controller.fleet.Tier;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.tier.TierReply;

/** Receives the replies of the adapters. */
public interface PushListener {

  /**
   * Called when a push has ended, with or without a reply.
   *
   * @param tookNanos time from the request to its end
   */
  void pushed(Tier tier, Target target, TierReply reply, long tookNanos);

  /** Called when a tier was polled for its status. */
  void asked(Tier tier, TierReply reply);

  /** Called with the ack for the job, after the reply that it is made from. */
  void ack(Ack ack);

  /** Called when an unclaimed tier has its full capacity again, or could not be reached. */
  void released(TierKey key, boolean succeeded);
}
