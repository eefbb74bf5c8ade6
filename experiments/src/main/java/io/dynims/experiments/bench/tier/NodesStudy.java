package io.dynims.experiments.bench.tier;

import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.bench.mpiio.MpiPrograms;
import io.dynims.experiments.bench.mpiio.Namespaces;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Measures several nodes, which are network namespaces of this machine. With MPI-IO, each has a
 * cache of its own; Alluxio's worker is on a node of its own, so that every byte goes over the
 * network.
 */
final class NodesStudy {

  private final BenchStack stack;
  private final Path built;
  private final MpiPrograms slow;
  private final StudyOptions options;
  private final StudyRecord record;

  NodesStudy(
      BenchStack stack, Path built, MpiPrograms slow, StudyOptions options, StudyRecord record) {
    this.stack = stack;
    this.built = built;
    this.slow = slow;
    this.options = options;
    this.record = record;
  }

  /** Measures what is missing. */
  void run() throws Exception {
    if (options.kinds().stream().allMatch(kind -> StudyPlan.nodes(kind, options).isEmpty())) {
      return;
    }
    if (!Namespaces.arePossible()) {
      record.progress().note("without nodes: network namespaces need root");
      return;
    }
    mpi();
    List<AccessKind> kinds = options.kinds().stream().filter(AccessKind::isAlluxio).toList();
    if (kinds.stream().anyMatch(this::isMissing)) {
      alluxio(kinds);
    } else {
      for (AccessKind kind : kinds) {
        for (StudyCell cell : StudyPlan.nodes(kind, options)) {
          record.addFound(cell);
        }
      }
    }
  }

  private boolean isMissing(AccessKind kind) {
    return StudyPlan.nodes(kind, options).stream().anyMatch(record::isMissing);
  }

  private void mpi() throws Exception {
    if (StudyPlan.nodes(AccessKind.MpiIo, options).isEmpty()) {
      return;
    }
    MpiStudy study = new MpiStudy(slow, options);
    int nodes = 0;
    for (StudyCell cell : StudyPlan.nodes(AccessKind.MpiIo, options)) {
      if (cell.nodes() != nodes && record.isMissing(cell)) {
        nodes = cell.nodes();
        slow.startAgents(nodes, options.tierBytes() / nodes);
      }
      record.measure(cell, () -> study.measure(cell));
    }
    slow.stopAgents();
  }

  private void alluxio(List<AccessKind> kinds) throws Exception {
    int most = Collections.max(options.nodes());
    Path project = stack.home().project();
    Path log = stack.home().log("study");
    try (Namespaces namespaces = new Namespaces(built, "nodes", most + 1);
        AlluxioNode tier =
            new AlluxioNode(
                place(namespaces, most),
                project.resolve("dist/alluxio/target/lib"),
                stack.home().state().resolve("data/node"),
                slow.slowly().resolve("nodes"),
                options,
                log)) {
      AlluxioPrograms programs =
          new AlluxioPrograms(
              project.resolve("experiments/access/target/lib"), tier.configuration(), log);
      for (AccessKind kind : kinds) {
        measure(kind, namespaces, tier, programs);
      }
    }
  }

  private static AlluxioPrograms.Place place(Namespaces namespaces, int index) {
    return new AlluxioPrograms.Place(namespaces.enter(index), Namespaces.address(index));
  }

  private void measure(
      AccessKind kind, Namespaces namespaces, AlluxioNode tier, AlluxioPrograms alluxio)
      throws Exception {
    List<AccessProgram> started = new ArrayList<>();
    try {
      if (kind == AccessKind.S3) {
        started.add(alluxio.proxy(tier.place(), AlluxioNode.PROXY_PORT));
      }
      List<AccessGroup.Worker> workers = new ArrayList<>();
      for (int node = 0; node < Collections.max(options.nodes()); node++) {
        AlluxioPrograms.Place place = place(namespaces, node);
        Path mount = stack.home().state().resolve("fuse-" + node);
        if (kind == AccessKind.Fuse) {
          started.add(alluxio.mount(place, mount, options.mount()));
        }
        workers.add(new AccessGroup.Worker(place.enter(), arguments(kind, place, mount, tier)));
      }
      try (FileStudy study =
          new FileStudy(
              workers,
              slow.local().resolve("nodes"),
              stack.home().log("study"),
              slow.counter(),
              options)) {
        for (StudyCell cell : StudyPlan.nodes(kind, options)) {
          record.measure(cell, () -> study.measure(cell));
          for (AccessProgram program : started) {
            program.check(kind);
          }
        }
      }
    } finally {
      for (AccessProgram program : started) {
        program.close();
      }
    }
  }

  private static List<String> arguments(
      AccessKind kind, AlluxioPrograms.Place place, Path mount, AlluxioNode tier)
      throws IOException {
    String host = tier.place().host();
    return switch (kind) {
      case Fuse -> List.of("file", mount.toString());
      case S3 -> List.of("s3", host + ":" + AlluxioNode.PROXY_PORT);
      case Native -> List.of("native", host + ":" + AlluxioNode.MASTER_PORT, place.host());
      default -> throw new IOException(kind.label() + " is none of Alluxio's interfaces");
    };
  }
}
