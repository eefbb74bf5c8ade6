package io.dynims.cli.stack;

/**
 * How a part is.
 *
 * @param part its name
 * @param state in words
 * @param pid 0 when it does not run
 * @param uptimeMillis 0 when it does not run
 * @param residentBytes 0 when it does not run
 * @param address empty when it has none
 */
public record PartStatus(
    String part, State state, long pid, long uptimeMillis, long residentBytes, String address) {

  /** What is told apart. */
  public enum State {
    /** The process is there, and so is every port. */
    RUNNING("running"),
    /** The process is there and a port does not accept. */
    SILENT("not listening"),
    /** It was started and is gone. */
    DEAD("dead"),
    /** It was not started. */
    STOPPED("stopped");

    private final String words;

    State(String words) {
      this.words = words;
    }

    @Override
    public String toString() {
      return words;
    }
  }
}
