package io.dynims.cli.stack;

import io.dynims.core.node.MachineMemory;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * This machine's memory.
 *
 * @param memoryTotalBytes MemTotal
 * @param memoryAvailableBytes MemAvailable
 */
public record Machine(long memoryTotalBytes, long memoryAvailableBytes) {

  /** Reads it from {@code /proc/meminfo}. */
  public static Machine read() {
    try {
      MachineMemory memory = MachineMemory.now();
      return new Machine(memory.totalBytes(), memory.totalBytes() - memory.usedBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
