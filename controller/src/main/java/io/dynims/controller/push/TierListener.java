package io.dynims.controller.push;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Target;
import io.dynims.tier.TierReply;

/** Hears what becomes of the requests to one tier. */
public interface TierListener {

  /**
   * Called when a push has ended, with or without a reply.
   *
   * @param tookNanos time from the request to its end
   */
  void pushed(Target target, TierReply reply, long tookNanos);

  /** Called when the tier was polled for its status. */
  void asked(TierReply reply);

  /** Called with the ack for the job, after the reply that it is made from. */
  void ack(Ack ack);
}
