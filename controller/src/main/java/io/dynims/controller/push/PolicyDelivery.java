package io.dynims.controller.push;

import static java.util.concurrent.TimeUnit.SECONDS;

import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Policy;
import io.dynims.tier.TierReply;

/**
 * Decides which pushes to one adapter carry the policy. The adapter keeps it for the guard on its
 * node, so most pushes need not: encoding it ten times per second for a thousand nodes costs time.
 */
final class PolicyDelivery {

  /** How often to repeat a policy that an adapter does not follow; it may have no guard at all. */
  private static final long REPEAT_NANOS = SECONDS.toNanos(1);

  /** The policy that the adapter has for certain; null if there is none. */
  private Policy delivered;

  /** The last policy that the adapter was given, maybe before it restarted; null if unknown. */
  private Policy given;

  private int deliveredConnection;
  private boolean unfollowed;
  private long sentNanos;

  /** The policy to send; null if the adapter has it. */
  Policy next(Policy policy, int connection, long nowNanos) {
    if (delivered == null
        || deliveredConnection != connection
        || !delivered.equals(policy)
        || (unfollowed && nowNanos - sentNanos >= REPEAT_NANOS)) {
      sentNanos = nowNanos;
      return policy;
    }
    return null;
  }

  /**
   * Notes the answer to a push.
   *
   * @param policy the policy behind the push, whether or not it was sent along
   * @param connection the connection on which the push was sent
   */
  void answered(Policy policy, int connection, TierReply reply) {
    if (reply.status() == AckStatus.Failed) {
      forget();
    } else {
      given = policy;
      delivered = policy;
      deliveredConnection = connection;
      unfollowed = reply.tier().guard() == null;
    }
  }

  /** Whether this is the last policy that the adapter was given, as far as is known. */
  boolean isGiven(Policy policy) {
    return policy.equals(given);
  }

  /** Knows nothing any more, because another controller may have sent its own. */
  void forgetAll() {
    forget();
    given = null;
  }

  /** Sends the policy with the next push, because the adapter may have restarted. */
  void forget() {
    delivered = null;
  }
}
