package io.dynims.cli.stack;

/**
 * The state of a part.
 *
 * @param part its name
 * @param state what it is doing
 * @param pid 0 if it is not running
 * @param uptimeMillis 0 if it is not running
 * @param residentBytes 0 if it is not running
 * @param address empty if it has none
 */
public record PartStatus(
    String part, State state, long pid, long uptimeMillis, long residentBytes, String address) {

  /** What a part is doing. */
  public enum State {
    /** The process is running and listens on all of its ports. */
    Running("running"),
    /** The process is running and does not listen on all of its ports. */
    NotListening("not listening"),
    /** The process has ended without being stopped. */
    Dead("dead"),
    /** The part was not started, or was stopped. */
    Stopped("stopped");

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
