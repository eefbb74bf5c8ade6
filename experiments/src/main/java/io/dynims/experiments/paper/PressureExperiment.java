package io.dynims.experiments.paper;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.cli.CliContext;
import io.dynims.cli.plot.Axis;
import io.dynims.cli.plot.Figure;
import io.dynims.cli.plot.LinePlot;
import io.dynims.cli.stack.StackException;
import io.dynims.local.AtExit;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** Figure 2: how fast a node factorizes a matrix while it lacks memory for a part of it. */
public final class PressureExperiment {

  private static final String NAME = "dynims-pressure";
  private static final int SIZE = 5_000;

  /** Two matrices and the interpreter. */
  private static final long NEED_BYTES = 2L * 8 * SIZE * SIZE + (40L << 20);

  private static final List<Integer> PERCENT = List.of(100, 97, 94, 90, 85, 80, 70, 60);
  private static final long SWAP_BYTES = 1L << 30;

  /** A run that takes longer counts as 0 GFLOPS. */
  private static final long MAX_SECONDS = 180;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final CliContext context;
  private final Path folder;
  private final Path file;

  /** The experiment, whose results are kept below the stack's home. */
  public PressureExperiment(CliContext context) {
    this.context = context;
    this.folder = context.home().state().resolve("paper");
    this.file = folder.resolve("pressure.csv");
  }

  /** Makes the measurements that are missing and draws them. */
  public Figure figure() throws Exception {
    Map<Integer, Double> gigaflops = read();
    List<Integer> missing =
        PERCENT.stream().filter(percent -> !gigaflops.containsKey(percent)).toList();
    if (!missing.isEmpty()) {
      try (SwapFile swap = new SwapFile(folder.resolve("swap"), SWAP_BYTES)) {
        for (int percent : missing) {
          double rate = measure(percent);
          context.err().printf("LU with %d %% of the memory: %.1f GFLOPS%n", percent, rate);
          Files.writeString(
              file,
              percent + "," + rate + "\n",
              StandardOpenOption.CREATE,
              StandardOpenOption.APPEND);
          gigaflops.put(percent, rate);
        }
      }
    }
    List<LinePlot.Point> points = new ArrayList<>();
    gigaflops.forEach((percent, rate) -> points.add(new LinePlot.Point(100 - percent, rate)));
    points.sort(Comparator.comparingDouble(LinePlot.Point::x));
    return new LinePlot(
        "2",
        "Figure 2: speed of LU while memory is short",
        Axis.linear("% of its memory missing"),
        Axis.linear("GFLOPS"),
        List.of(new LinePlot.Series("LU", points)));
  }

  private Map<Integer, Double> read() throws Exception {
    Map<Integer, Double> rates = new TreeMap<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        String[] fields = line.split(",", -1);
        rates.put(Integer.parseInt(fields[0]), Double.parseDouble(fields[1]));
      }
    }
    return rates;
  }

  private double measure(int percent) throws Exception {
    try (MemoryGroup group = new MemoryGroup(NAME, NEED_BYTES * percent / 100)) {
      Process process =
          new ProcessBuilder(
                  group
                      .node()
                      .command(
                          "lu",
                          List.of(
                              "/usr/bin/python3",
                              context
                                  .home()
                                  .project()
                                  .resolve("experiments/hpcc/lu-speed")
                                  .toString(),
                              Integer.toString(SIZE))))
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      AtExit atExit = new AtExit(process::destroyForcibly);
      try {
        if (!process.waitFor(MAX_SECONDS, TimeUnit.SECONDS)) {
          return 0;
        }
        JsonNode result = JSON.readTree(new String(process.getInputStream().readAllBytes(), UTF_8));
        if (process.exitValue() != 0) {
          throw new StackException(
              "lu-speed failed; it needs the packages python3-numpy and libopenblas0-serial");
        }
        return result.path("gflops").asDouble();
      } finally {
        process.destroyForcibly();
        process.waitFor();
        atExit.cancel();
      }
    }
  }
}
