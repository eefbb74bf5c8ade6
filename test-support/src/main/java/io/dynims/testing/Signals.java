package io.dynims.testing;

import java.io.IOException;

/** Signals that Java itself does not send. */
public final class Signals {

  private Signals() {}

  /**
   * Sends a signal, such as {@code STOP}.
   *
   * @param process one that was looked up while it was certainly the one that is meant: its handle
   *     knows when it started, so that another process of the same pid gets no signal
   */
  public static void send(ProcessHandle process, String name)
      throws IOException, InterruptedException {
    String what = "signal " + name + " to process " + process.pid();
    if (!process.isAlive()) {
      throw new IOException(what + ": it has ended");
    }
    // The shell's own kill: a bare machine has no other.
    String kill = "kill -" + name + " " + process.pid();
    int exitCode = new ProcessBuilder("sh", "-c", kill).start().waitFor();
    if (exitCode != 0) {
      throw new IOException(what + ": kill failed with " + exitCode);
    }
  }
}
