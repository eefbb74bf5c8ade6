package io.dynims.experiments.paper;

import io.dynims.experiments.demo.LoadProcess;
import io.dynims.experiments.demo.LoadProfile;
import java.io.IOException;
import java.util.List;

/**
 * A replay of HPCC's memory.
 *
 * @param name in the ids of runs
 * @param profile its memory over time
 * @param afterIteration it starts when the data job has ended this iteration
 */
public record HpccLoad(String name, LoadProfile profile, int afterIteration) implements NodeLoad {

  /** Not at a lower priority: HPCC's memory would then come later than it did. */
  @Override
  public Running start(MemoryGroup node) throws IOException {
    return new Replay(
        new LoadProcess(profile, program -> node.node().command(MemoryGroup.LOAD, program)));
  }

  private record Replay(LoadProcess process) implements Running {

    @Override
    public boolean isAlive() {
      return process.isAlive();
    }

    @Override
    public long heldBytes() {
      return process.heldBytes();
    }

    @Override
    public long millis() {
      List<LoadProcess.Report> reports = process.reports();
      return reports.get(reports.size() - 1).millis() - reports.get(0).millis();
    }

    @Override
    public void close() {
      process.close();
    }
  }
}
