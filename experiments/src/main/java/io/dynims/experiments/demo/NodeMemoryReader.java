package io.dynims.experiments.demo;

import io.dynims.core.node.MachineMemory;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The memory of this machine at one moment, as the agent and the guard see it.
 *
 * @param totalBytes MemTotal
 * @param usedBytes memory in use, v: what is not available
 */
public record NodeMemoryReader(long totalBytes, long usedBytes) {

  /** Reads it. */
  public static NodeMemoryReader now() throws IOException {
    try (MachineMemory memory = new MachineMemory(Path.of("/"))) {
      memory.sample(true);
      return new NodeMemoryReader(memory.totalBytes(), memory.usedBytes());
    }
  }
}
