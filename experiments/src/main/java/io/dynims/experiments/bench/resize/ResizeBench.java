package io.dynims.experiments.bench.resize;

import io.dynims.cli.stack.StackSettings;
import io.dynims.cli.stack.Text;
import io.dynims.core.quantity.Quantities;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Timings;
import io.dynims.experiments.demo.AlluxioFiles;
import io.dynims.experiments.demo.DataSet;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * Measures the adapter's resizes: how fast they free memory, compared with the machine's limit, and
 * how they affect readers.
 */
public final class ResizeBench {

  static final long TICK_MILLIS = 100;

  /** Six ticks of a tenth each shrink the tier from full to less than half. */
  static final int STEPS = 6;

  static final double STEP = 0.1;

  private static final int[] PERCENTS = {10, 50, 100};
  private static final int ROUNDS_PER_REPETITION = 4;
  private static final int HOT = 4;
  private static final long SETTLE_MILLIS = 300;

  /** A data set consists of whole files. */
  private static final long FILE_BYTES = 4L * DataSet.BLOCK_BYTES;

  private static final long SEED = 20_261_121;

  private final BenchStack stack;
  private final ResizeOptions options;
  private final PrintStream progress;

  /** A benchmark on a stack that is not running. */
  public ResizeBench(BenchStack stack, ResizeOptions options, PrintStream progress) {
    this.stack = stack;
    this.options = options;
    this.progress = progress;
  }

  /**
   * Starts the stack and measures.
   *
   * @throws Exception if a part of the stack does not answer; the message says which
   */
  public Findings run() throws Exception {
    stack.up(List.of(), "adapter");
    StackSettings settings = stack.settings();
    try (AlluxioFiles alluxio =
        new AlluxioFiles("127.0.0.1", settings.port("alluxio.master.port"))) {
      long dataBytes = (settings.tierMaxBytes() / FILE_BYTES - 2) * FILE_BYTES;
      DataSet data = new DataSet(alluxio.files(), SEED, dataBytes);
      progress.println("writing a data set of " + Text.bytes(dataBytes));
      data.ensure(done -> {});
      Path directory = stack.home().tier(settings.tierParent());
      FullTier tier = new FullTier(stack.clients().tier(), data, directory);
      Path sibling = directory.resolveSibling(directory.getFileName() + "-limit");
      try (UnlinkLimit limit = new UnlinkLimit(sibling, data.items())) {
        return new ResizeFindings(tier.capacityBytes(), options, measureAll(tier, limit, data))
            .findings();
      }
    }
  }

  private List<SliceResult> measureAll(FullTier tier, UnlinkLimit limit, DataSet data)
      throws Exception {
    long shipped = Quantities.bytes(stack.settings().text().get("adapter.resize.slice"));
    progress.println("warming up");
    shrinks(tier, limit, new SliceResult(shipped));
    List<SliceResult> results = new ArrayList<>();
    results.add(measure(shipped, tier, limit, data));
    for (long slice : options.otherSliceBytes()) {
      if (slice != shipped) {
        stack.down("adapter");
        stack.up(List.of("adapter.resize.slice=" + slice), "adapter");
        results.add(measure(slice, tier, limit, data));
      }
    }
    return results;
  }

  private SliceResult measure(long sliceBytes, FullTier tier, UnlinkLimit limit, DataSet data)
      throws Exception {
    SliceResult result = new SliceResult(sliceBytes);
    for (int i = 1; i <= options.repetitions(); i++) {
      progress.printf(
          "slices of %s, repetition %d of %d%n", Text.bytes(sliceBytes), i, options.repetitions());
      shrinks(tier, limit, result);
      try (HotReaders readers = new HotReaders(data, Math.max(1, data.items() / HOT), SEED + i)) {
        for (int round = 0; round < ROUNDS_PER_REPETITION; round++) {
          readings(tier, readers, result);
        }
        result.addWrong(readers.wrong());
      }
    }
    return result;
  }

  /** Measures every shrink once and then, in the empty tmpfs, the machine's limit. */
  private static void shrinks(FullTier tier, UnlinkLimit limit, SliceResult result)
      throws Exception {
    for (int percent : PERCENTS) {
      tier.fill();
      result.add(percent, tier.shrink(percent / 100.0));
    }
    result.addLimit(limit.measure());
  }

  /** Measures reads at rest and then, for as long, while the tier is resized ten times a second. */
  private static void readings(FullTier tier, HotReaders readers, SliceResult result)
      throws Exception {
    tier.fill();
    readers.read((Timings) null);
    TimeUnit.MILLISECONDS.sleep(SETTLE_MILLIS);
    readers.read(result.rest());
    TimeUnit.MILLISECONDS.sleep(2 * STEPS * TICK_MILLIS);
    readers.read(result.resizing());
    long nextNanos = System.nanoTime();
    for (int step = 1; step <= 2 * STEPS; step++) {
      int down = Math.min(step, 2 * STEPS - step);
      tier.request((long) (tier.capacityBytes() * (1 - STEP * down)));
      nextNanos += TimeUnit.MILLISECONDS.toNanos(TICK_MILLIS);
      TimeUnit.NANOSECONDS.sleep(nextNanos - System.nanoTime());
    }
    readers.pause();
  }
}
