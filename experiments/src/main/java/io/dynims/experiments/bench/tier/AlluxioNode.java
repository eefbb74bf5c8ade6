package io.dynims.experiments.bench.tier;

import io.dynims.cli.stack.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * An Alluxio master and worker on a node that is a network namespace, so that clients on other
 * nodes reach them over a network only.
 */
final class AlluxioNode implements AutoCloseable {

  /** Nothing else listens in the namespace. */
  static final int MASTER_PORT = 19_998;

  static final int PROXY_PORT = 39_999;
  private static final int WORKER_PORT = 29_999;

  private final AlluxioPrograms.Place place;
  private final Path memory;
  private final Path configuration;
  private final Deque<AccessProgram> programs = new ArrayDeque<>();

  /**
   * Starts them.
   *
   * @param library a folder with their jars
   * @param folder for their files, which does not exist
   * @param underStore the folder below
   */
  AlluxioNode(
      AlluxioPrograms.Place place,
      Path library,
      Path folder,
      Path underStore,
      StudyOptions options,
      Path log)
      throws IOException, InterruptedException {
    this.place = place;
    this.memory = Files.createTempDirectory(Path.of("/dev/shm"), "dynims-bench-node");
    this.configuration = Files.createDirectories(folder.resolve("conf"));
    Files.createDirectories(underStore);
    Files.writeString(
        configuration.resolve("alluxio-site.properties"),
        properties(place.host(), folder, underStore, memory, options));
    List<String> format = new ArrayList<>(place.enter());
    format.addAll(
        AccessProgram.alluxio(library, configuration, List.of("alluxio.cli.Format", "master")));
    AlluxioPrograms alluxio = new AlluxioPrograms(library, configuration, log);
    try {
      AccessProgram.run(format, log);
      programs.push(
          alluxio.start(
              place,
              List.of("alluxio.master.AlluxioMaster"),
              () -> AlluxioPrograms.isListening(place, MASTER_PORT)));
      programs.push(
          alluxio.start(
              place,
              List.of("alluxio.worker.AlluxioWorker"),
              () -> AlluxioPrograms.isListening(place, WORKER_PORT)));
    } catch (IOException | InterruptedException e) {
      close();
      throw e;
    }
  }

  /** The folder of alluxio-site.properties. */
  Path configuration() {
    return configuration;
  }

  AlluxioPrograms.Place place() {
    return place;
  }

  /** As those of the local stack, but for the addresses. */
  private static String properties(
      String host, Path folder, Path underStore, Path memory, StudyOptions options) {
    return """
        alluxio.master.hostname=HOST
        alluxio.master.bind.host=HOST
        alluxio.master.rpc.port=%d
        alluxio.master.web.hostname=HOST
        alluxio.master.web.bind.host=HOST
        alluxio.worker.hostname=HOST
        alluxio.worker.bind.host=HOST
        alluxio.worker.rpc.port=%d
        alluxio.worker.web.hostname=HOST
        alluxio.worker.web.bind.host=HOST
        alluxio.user.hostname=HOST
        alluxio.master.journal.type=UFS
        alluxio.master.journal.folder=%s
        alluxio.master.metastore=HEAP
        alluxio.master.mount.table.root.ufs=%s
        alluxio.master.worker.connect.wait.time=1s
        alluxio.master.update.check.enabled=false
        alluxio.web.ui.enabled=false
        alluxio.exit.collect.info=false
        alluxio.worker.tieredstore.levels=1
        alluxio.worker.tieredstore.level0.alias=MEM
        alluxio.worker.tieredstore.level0.dirs.mediumtype=MEM
        alluxio.worker.tieredstore.level0.dirs.path=%s
        alluxio.worker.tieredstore.level0.dirs.quota=%d
        alluxio.worker.ramdisk.size=%d
        alluxio.worker.data.tmp.subdir.max=1
        alluxio.worker.network.netty.worker.threads=16
        alluxio.worker.block.heartbeat.interval=100ms
        alluxio.user.block.size.bytes.default=%d
        alluxio.tmp.dirs=%s
        """
        .formatted(
            MASTER_PORT,
            WORKER_PORT,
            folder.resolve("journal"),
            underStore,
            memory,
            options.tierBytes(),
            options.tierBytes(),
            options.alluxioBlockBytes(),
            folder.resolve("tmp"))
        .replace("HOST", host);
  }

  @Override
  public void close() throws IOException, InterruptedException {
    while (!programs.isEmpty()) {
      programs.pop().close();
    }
    Folders.remove(memory);
  }
}
