package io.dynims.experiments.bench.resize;

import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/** The benchmark of the adapter's resizes. */
public final class ResizeBench {

  private final BenchStack stack;
  private final PrintStream progress;

  /** On a stack of which nothing runs yet. */
  public ResizeBench(BenchStack stack, PrintStream progress) {
    this.stack = stack;
    this.progress = progress;
  }

  /** Measures. */
  public Findings run() throws Exception {
    stack.up(List.of(), "adapter");
    progress.println("measuring");
    return new Findings("Resizing", Map.of(), List.of(), List.of(), List.of(), List.of());
  }
}
