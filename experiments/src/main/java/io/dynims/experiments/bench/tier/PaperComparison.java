package io.dynims.experiments.bench.tier;

import io.dynims.experiments.bench.Percentiles;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * What Betke and Kunkel found of a burst buffer beside what is found here. Their machine is a
 * cluster, so shapes are compared, not rates: how many times one figure is another.
 */
final class PaperComparison {

  private static final int LARGE = 10 << 20;
  private static final int SMALL = 16 << 10;

  /** Their native interface at blocks of 10 MiB, random, in MiB/s. */
  private static final double READ_1X1 = 2_400;

  private static final double WRITE_1X1 = 1_180;
  private static final double READ_1X8 = 8_100;
  private static final double WRITE_1X8 = 6_120;
  private static final double READ_10X1 = 21_200;
  private static final double WRITE_10X1 = 10_000;

  private final StudyOptions options;
  private final StudyResults results;
  private final Map<NetCdfCell, CellResult> netCdf;
  private final List<List<String>> rows = new ArrayList<>();

  PaperComparison(StudyOptions options, StudyResults results, Map<NetCdfCell, CellResult> netCdf) {
    this.options = options;
    this.results = results;
    this.netCdf = netCdf;
  }

  Table table() {
    rows.clear();
    int few = options.fewestProcesses();
    for (AccessKind kind : List.of(AccessKind.Native, AccessKind.MpiIo)) {
      String name = kind.label() + ", 10 MiB, ";
      // Alluxio's client does not write at random.
      String write = kind == AccessKind.Native ? "sequential write" : "random write";
      processes(kind, name + "random read", "random read", READ_1X8 / READ_1X1);
      processes(kind, name + write, write, WRITE_1X8 / WRITE_1X1);
      nodes(kind, name + "random read", "random read", READ_10X1 / READ_1X1);
      nodes(kind, name + write, write, WRITE_10X1 / WRITE_1X1);
    }
    mount("sequential read");
    mount("sequential write");
    for (AccessKind kind : List.of(AccessKind.Native, AccessKind.MpiIo)) {
      for (int block : List.of(SMALL, LARGE)) {
        add(
            kind.label() + ", sequential, reads to writes at " + size(block),
            block == SMALL ? "writes are favoured" : "reads are favoured",
            results.rate(kind, "sequential read", block, few),
            results.rate(kind, "sequential write", block, few));
      }
    }
    for (int block : List.of(SMALL, LARGE)) {
      add(
          "NetCDF-4 read, cached, chunked to contiguous at " + size(block),
          block == SMALL ? "below 1" : "about 1",
          netCdf(true, block),
          netCdf(false, block));
    }
    return new Table(
        "Shapes beside those of the paper: how many times one rate is the other",
        List.of("of what", "paper", "here"),
        rows);
  }

  private void processes(AccessKind kind, String name, String series, double paper) {
    int few = options.fewestProcesses();
    int many = Collections.max(options.processes());
    if (many > few) {
      add(
          name + ", " + many + " processes to " + few,
          Percentiles.text(paper),
          results.rate(kind, series, LARGE, many),
          results.rate(kind, series, LARGE, few));
    }
  }

  private void nodes(AccessKind kind, String name, String series, double paper) {
    int few = Collections.min(options.nodes());
    int many = Collections.max(options.nodes());
    if (many > few) {
      add(
          name + ", " + many + " nodes to " + few,
          Percentiles.text(paper) + " (10 to 1)",
          nodesRate(kind, series, many),
          nodesRate(kind, series, few));
    }
  }

  private double nodesRate(AccessKind kind, String series, int nodes) {
    return results
        .find(kind, series, LARGE, nodes)
        .map(result -> result.rate(result.accessSeconds()))
        .orElse(0.0);
  }

  private void mount(String series) {
    int few = options.fewestProcesses();
    add(
        "FUSE mount to client, 10 MiB, " + series,
        series.endsWith("read") ? "below that of writes" : "above that of reads",
        results.rate(AccessKind.Fuse, series, LARGE, few),
        results.rate(AccessKind.Native, series, LARGE, few));
  }

  private double netCdf(boolean chunked, int block) {
    return netCdf.entrySet().stream()
        .filter(
            each ->
                each.getKey().cached()
                    && !each.getKey().write()
                    && each.getKey().collective()
                    && each.getKey().chunked() == chunked
                    && each.getKey().blockBytes() == block
                    && each.getKey().processes() == options.fewestProcesses())
        .mapToDouble(each -> each.getValue().rate(each.getValue().accessSeconds()))
        .findFirst()
        .orElse(0);
  }

  private void add(String what, String paper, double one, double other) {
    if (one > 0 && other > 0) {
      rows.add(List.of(what, paper, Percentiles.text(one / other)));
    }
  }

  private static String size(int block) {
    return block >= 1 << 20 ? (block >> 20) + " MiB" : (block >> 10) + " KiB";
  }
}
