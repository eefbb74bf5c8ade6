package io.dynims.controller.fleet;

/**
 * For how long nodes were out of memory, summed over nodes.
 *
 * @param observedMillis the time that is known
 * @param overMillis more memory was in use than the node may use
 * @param staticOverMillis more would have been in use if each tier had kept its maximum
 */
public record MemoryTime(long observedMillis, long overMillis, long staticOverMillis) {

  static final MemoryTime NONE = new MemoryTime(0, 0, 0);

  MemoryTime plus(MemoryTime other) {
    return new MemoryTime(
        observedMillis + other.observedMillis,
        overMillis + other.overMillis,
        staticOverMillis + other.staticOverMillis);
  }
}
