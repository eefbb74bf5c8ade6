package io.dynims.cli.stack;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * One process of the stack.
 *
 * @param name as users see it
 * @param needs the parts that must be ready before it starts and that stop after it
 * @param ports the settings of the ports that it listens on
 * @param address where it can be reached; empty if nowhere
 * @param command the command line
 * @param prepare runs before every start
 * @param readiness tells whether it is ready
 */
record Part(
    String name,
    List<String> needs,
    List<String> ports,
    String address,
    List<String> command,
    Preparation prepare,
    Readiness readiness) {

  /** Creates what the process needs before it starts. */
  interface Preparation {
    void run() throws IOException, InterruptedException, StackException;
  }

  /** A single, quick check. */
  interface Readiness {
    /**
     * What is still missing, in a few words; empty if the part is ready.
     *
     * @throws IOException if the part does not answer, which counts as not ready
     */
    Optional<String> missing() throws IOException, InterruptedException;
  }
}
