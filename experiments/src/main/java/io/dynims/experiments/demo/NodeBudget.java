package io.dynims.experiments.demo;

import io.dynims.core.law.LawType;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Target;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierStatus;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The memory budget of the stack's node: what is in use now without the tier's own data, and a full
 * tier.
 */
public final class NodeBudget {

  private static final long POLICY_MILLIS = 90_000;
  private static final long POLL_MILLIS = 100;

  /** Budgets differ, because a decision shows that its policy is in force by its budget. */
  private static final long DIFFERENCE_BYTES = 4_096;

  private final TierClient adapter;
  private final Path policyFile;
  private final LoopRecorder loop;
  private final long tierMaxBytes;
  private final MemorySampler.Source memory;

  /**
   * The budget of this machine.
   *
   * @param adapter the node's adapter
   * @param policyFile the MemoryTier document that the controller reads
   * @param tierMaxBytes Umax
   */
  public NodeBudget(TierClient adapter, Path policyFile, LoopRecorder loop, long tierMaxBytes) {
    this(adapter, policyFile, loop, tierMaxBytes, () -> NodeMemoryReader.now().usedBytes());
  }

  /**
   * The budget of a node.
   *
   * @param memory the node's
   */
  NodeBudget(
      TierClient adapter,
      Path policyFile,
      LoopRecorder loop,
      long tierMaxBytes,
      MemorySampler.Source memory) {
    this.memory = memory;
    this.adapter = adapter;
    this.policyFile = policyFile;
    this.loop = loop;
    this.tierMaxBytes = tierMaxBytes;
  }

  /**
   * Sets the budget and waits until it is in force.
   *
   * @param threshold the policy's r0
   */
  Sizing set(double threshold) throws IOException, InterruptedException {
    Sizing sizing = sizing(threshold);
    PolicyFile.setBudget(policyFile, sizing.budgetBytes());
    return inForce(sizing);
  }

  /** Sets the budget, the law and r0, and waits until they are in force. */
  public Sizing set(LawType law, double threshold) throws IOException, InterruptedException {
    Sizing sizing = sizing(threshold);
    PolicyFile.setLaw(policyFile, law, threshold, sizing.budgetBytes());
    return inForce(sizing);
  }

  private Sizing sizing(double threshold) throws IOException, InterruptedException {
    TierReply reply = adapter.get();
    TierStatus tier = reply.tier();
    if (reply.status() == AckStatus.Failed || tier == null) {
      throw new IOException("the adapter does not answer: " + reply.message());
    }
    long othersBytes = Math.max(0, memory.usedBytes() - tier.occupiedBytes());
    Sizing sizing = Sizing.of(othersBytes, tierMaxBytes, threshold);
    return sizing.budgetBytes() == decidedBytes()
        ? Sizing.of(othersBytes + DIFFERENCE_BYTES, tierMaxBytes, threshold)
        : sizing;
  }

  private Sizing inForce(Sizing sizing) throws IOException, InterruptedException {
    if (!Await.until(POLICY_MILLIS, POLL_MILLIS, () -> decidedBytes() == sizing.budgetBytes())) {
      throw new IOException(
          "no decision with the new policy: its mode must be Enforce ("
              + policyFile
              + "); otherwise see the logs of the controller and the job");
    }
    return sizing;
  }

  private long decidedBytes() {
    return loop.lastTarget().map(Target::memoryTotalBytes).orElse(0L);
  }
}
