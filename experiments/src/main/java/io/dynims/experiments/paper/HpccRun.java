package io.dynims.experiments.paper;

import io.dynims.core.node.GroupMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The HPC Challenge itself, on two processes.
 *
 * @param script {@code experiments/hpcc/run-hpcc}
 * @param folder for its input, its results and its log
 * @param size N of its input, whose matrix has 8 N² bytes
 * @param afterIteration it starts when the data job has ended this iteration
 */
record HpccRun(Path script, Path folder, int size, int afterIteration) implements NodeLoad {

  @Override
  public String name() {
    return "hpcc-itself-" + size + "-after-" + afterIteration;
  }

  @Override
  public Running start(MemoryGroup node) throws IOException {
    Files.createDirectories(folder);
    List<String> program = List.of(script.toString(), Integer.toString(size), folder.toString());
    Path log = folder.resolve("hpcc.log");
    long startNanos = System.nanoTime();
    Process process =
        new ProcessBuilder(node.node().command(MemoryGroup.LOAD, program))
            .redirectInput(Path.of("/dev/null").toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    return new Started(
        node,
        log,
        process,
        process.onExit().thenApply(ended -> (System.nanoTime() - startNanos) / 1_000_000));
  }

  private record Started(
      MemoryGroup node, Path log, Process process, CompletableFuture<Long> millisAtEnd)
      implements Running {

    @Override
    public boolean isAlive() {
      return process.isAlive() || !millisAtEnd.isDone();
    }

    @Override
    public long heldBytes() {
      Path group = node.node().folder().resolve(MemoryGroup.LOAD);
      try (GroupMemory memory = new GroupMemory(group, Long.MAX_VALUE)) {
        memory.sample(true);
        return memory.usedBytes();
      } catch (IOException e) {
        return 0; // It has not entered its group yet.
      }
    }

    @Override
    public long millis() throws IOException {
      int code = process.exitValue();
      if (code != 0) {
        throw new IOException("HPCC ended with " + code + "; see " + log);
      }
      return millisAtEnd.join();
    }

    @Override
    public void close() {
      process.descendants().forEach(ProcessHandle::destroy);
      process.destroy();
    }
  }
}
