package io.dynims.cli.stack;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * One process of the stack.
 *
 * @param name as the user calls it
 * @param needs the parts that must be ready before it starts and end after it
 * @param ports the settings of the ports that it listens on
 * @param address where it is reached; empty if nowhere
 * @param command what to run
 * @param prepare runs before every start
 * @param readiness whether it does its work
 */
record Part(
    String name,
    List<String> needs,
    List<String> ports,
    String address,
    List<String> command,
    Preparation prepare,
    Readiness readiness) {

  /** What has to be there before the process starts. */
  interface Preparation {
    void run() throws IOException, InterruptedException, StackException;
  }

  /** Looks once, quickly. */
  interface Readiness {
    /**
     * What is still missing, in a few words; nothing when the part is ready.
     *
     * @throws IOException when it does not answer, which is as good as a missing thing
     */
    Optional<String> missing() throws IOException, InterruptedException;
  }
}
