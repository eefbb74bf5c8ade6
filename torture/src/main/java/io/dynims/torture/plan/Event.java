package io.dynims.torture.plan;

import io.dynims.core.wire.Mode;
import io.dynims.simulation.Load;

/** Something that happens to the fleet; each is independent of all others. */
public sealed interface Event {

  /** When it begins. */
  long atMillis();

  /** When it is over. */
  default long endMillis() {
    return atMillis();
  }

  /** Whether it is a fault, and not part of the load or of what people do. */
  default boolean isFault() {
    return true;
  }

  /** Whether what is sent may not be true: what a node sends of itself cannot be doubted. */
  default boolean isLie() {
    return false;
  }

  /** The node that it is about; null for a part that all nodes share. */
  String node();

  /** Where messages pass. */
  enum Link {
    /** From a node's reader to the job. */
    Metrics,
    /** From the policies to the job. */
    Policies,
    /** From the controllers to the job. */
    Acks,
    /** From the job to the controllers. */
    Targets,
    /** Between a controller and an adapter, in both directions. */
    Requests,
    /** Between the controllers. */
    Beats
  }

  /** What happens to messages. */
  enum Harm {
    Lost,
    Doubled,
    Late,
    OutOfOrder,
    /** A copy arrives before it in which bytes are missing, changed, or there twice. */
    Torn
  }

  /** What a part that was killed finds again of what it had saved. */
  enum Saved {
    /** All, as it was last saved. */
    All,
    /** One of an adapter's files, as the other one cannot be read. */
    Policy,
    /** The other one. */
    Capacity,
    Nothing
  }

  /** A part that can be killed. */
  enum Part {
    Job,
    Controller,
    Adapter,
    Store
  }

  /** Jobs take memory. */
  record Jobs(String node, Load load) implements Event {

    @Override
    public long atMillis() {
      return load.startMillis();
    }

    @Override
    public boolean isFault() {
      return false;
    }
  }

  /**
   * Jobs take what real ones took.
   *
   * @param fromRow where in the recording
   * @param scale by which to multiply it
   */
  record RecordedJobs(String node, long atMillis, long endMillis, int fromRow, double scale)
      implements Event {

    @Override
    public boolean isFault() {
      return false;
    }
  }

  /**
   * Messages are harmed.
   *
   * @param lanes whether all messages between some parts are harmed, or some of each
   * @param share of the parts or of the messages
   * @param byMillis how late they are
   * @param seed which ones
   */
  record LinkFault(
      long atMillis,
      long endMillis,
      Link link,
      String node,
      Harm harm,
      boolean lanes,
      double share,
      long byMillis,
      long seed)
      implements Event {

    @Override
    public boolean isLie() {
      return harm == Harm.Torn;
    }
  }

  /**
   * A part is killed and comes back.
   *
   * @param tier of an adapter or a store
   * @param index of a controller
   * @param saved what it finds again
   */
  record Kill(
      long atMillis, long endMillis, Part part, String node, String tier, int index, Saved saved)
      implements Event {}

  /**
   * A part stands still, and goes on where it was.
   *
   * @param tier of an adapter
   * @param index of a controller
   */
  record Pause(long atMillis, long endMillis, Part part, String node, String tier, int index)
      implements Event {}

  /** A tier's policy is withdrawn, and given again at the end. */
  record Withdrawal(long atMillis, long endMillis, String node, String tier) implements Event {

    @Override
    public boolean isFault() {
      return false;
    }
  }

  /** A node's clock is set; the job's if {@code node} is null. */
  record ClockStep(long atMillis, String node, long byMillis) implements Event {}

  /** Somebody changes the mode of a tier, and the threshold of all tiers of its node. */
  record PolicyChange(long atMillis, String node, String tier, Mode mode, double threshold)
      implements Event {

    @Override
    public boolean isFault() {
      return false;
    }
  }

  /** A store frees and fills more slowly. */
  record SlowStore(long atMillis, long endMillis, String node, String tier, double factor)
      implements Event {}

  /** A store's adapter answers that the store is unavailable. */
  record Refusing(long atMillis, long endMillis, String node, String tier) implements Event {}

  /** Readers lock a part of what a store holds. */
  record Locked(long atMillis, long endMillis, String node, String tier, long bytes)
      implements Event {}

  /** A part of what a store holds exists nowhere else. */
  record Unpersisted(long atMillis, long endMillis, String node, String tier, long bytes)
      implements Event {

    @Override
    public boolean isFault() {
      return false;
    }
  }

  /** A job announces memory, which it may take or not. */
  record HintGiven(long atMillis, long endMillis, String node, String tier, long bytes)
      implements Event {

    @Override
    public boolean isFault() {
      return false;
    }
  }

  /** Somebody else sets a store's limit. */
  record Foreign(long atMillis, String node, String tier, long bytes) implements Event {}

  /** An ack with odd values reaches the job. */
  record OddAck(long atMillis, String node, String tier, int kind) implements Event {

    @Override
    public boolean isLie() {
      return true;
    }
  }

  /** A reading with odd values reaches the job. */
  record OddReading(long atMillis, String node, int kind) implements Event {

    @Override
    public boolean isLie() {
      return true;
    }
  }
}
