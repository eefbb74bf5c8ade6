package io.dynims.controller.push;

import io.dynims.core.wire.Ack;
import io.dynims.core.wire.TierKey;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierStatus;

/** Reports an adapter's reply to the job. */
final class ReplyAck {

  private ReplyAck() {}

  /**
   * The ack of a reply.
   *
   * @param desiredBytes the capacity asked for; the capacity in force where nothing was asked
   * @param sampledMillis the sample of the target that was pushed
   * @param answeredMillis when the reply came, epoch milliseconds
   */
  static Ack of(
      TierKey key, long desiredBytes, long sampledMillis, TierReply reply, long answeredMillis) {
    TierStatus inForce = reply.tier();
    return inForce == null
        ? Ack.failed(key, desiredBytes, reply.message(), sampledMillis, answeredMillis)
        : new Ack(
            key.node(),
            key.tier(),
            desiredBytes,
            inForce.capacityBytes(),
            inForce.occupiedBytes(),
            inForce.unevictableBytes(),
            inForce.unpersistedBytes(),
            inForce.hitRatio(),
            reply.status(),
            reply.message(),
            sampledMillis,
            answeredMillis,
            inForce.hints(),
            inForce.inProcess(),
            inForce.measuredMillis());
  }
}
