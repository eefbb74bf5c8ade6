package io.dynims.chaos;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/**
 * What one fault did.
 *
 * @param fault what was done
 * @param promise what must hold
 * @param peakUtilization the highest memory in use, of M
 * @param ownPeakUtilization the same, but for what other programs have grown by meanwhile
 * @param aboveMemoryMillis how long the node was above M
 * @param backMillis from the end of the burst, while the fault lasted, until the tier had its size
 *     again; empty if it had not
 * @param healMillis from the end of the fault until decisions flowed, the state was Enforcing and
 *     the tier had its size; empty if that did not come
 * @param blocksRead blocks read and checked
 * @param wrongBlocks blocks with a wrong byte
 * @param unreadBlocks blocks that could not be read
 * @param lostPolicies policies that the controller served before and does not afterwards
 * @param othersBytes how far the memory moved that is neither the tier's nor the burst's
 * @param memoryBytes M
 * @param told what told of the fault
 */
record Outcome(
    String fault,
    Promise promise,
    double peakUtilization,
    double ownPeakUtilization,
    long aboveMemoryMillis,
    OptionalLong backMillis,
    OptionalLong healMillis,
    long blocksRead,
    long wrongBlocks,
    long unreadBlocks,
    int lostPolicies,
    long othersBytes,
    long memoryBytes,
    List<String> told) {

  /** Copies the list. */
  Outcome {
    told = List.copyOf(told);
  }

  static List<String> head() {
    return List.of(
        "fault",
        "never above M",
        "highest / M",
        "but for others",
        "above M, s",
        "tier back, s",
        "healed, s",
        "blocks read",
        "wrong",
        "unread",
        "lost policies",
        "others, MiB",
        "what told of it");
  }

  List<String> row() {
    return List.of(
        fault,
        promise == Promise.NeverAboveMemory ? "promised" : "not promised",
        String.format(Locale.ROOT, "%.4f", peakUtilization),
        String.format(Locale.ROOT, "%.4f", ownPeakUtilization),
        seconds(aboveMemoryMillis),
        backMillis.isPresent() ? seconds(backMillis.getAsLong()) : "not before its end",
        healMillis.isPresent() ? seconds(healMillis.getAsLong()) : "not in time",
        Long.toString(blocksRead),
        Long.toString(wrongBlocks),
        Long.toString(unreadBlocks),
        Integer.toString(lostPolicies),
        Long.toString(othersBytes >> 20),
        told.isEmpty() ? "nothing" : String.join("; ", told));
  }

  private static String seconds(long millis) {
    return String.format(Locale.ROOT, "%.2f", millis / 1e3);
  }
}
