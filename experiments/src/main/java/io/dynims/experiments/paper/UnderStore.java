package io.dynims.experiments.paper;

import io.dynims.cli.stack.NodeGroup;
import io.dynims.cli.stack.StackException;
import io.dynims.experiments.bench.DeviceNumber;
import io.dynims.local.AtExit;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A slow under store: the worker's reads from the disk are throttled by the kernel, and the data
 * set is dropped from the page cache all the time, which would deliver gigabytes per second.
 */
final class UnderStore implements AutoCloseable {

  private final ControlGroups groups = ControlGroups.ofThisMachine();
  private final Path group;
  private final Path data;
  private final String device;
  private final AtExit atExit = new AtExit(this::release);
  private Process dropper;

  /**
   * Prepares the throttle; nothing is throttled yet.
   *
   * @param node the group of the node whose worker reads
   * @param data the folder of the data set
   */
  UnderStore(String name, NodeGroup node, Path data, long bytesPerSecond)
      throws StackException, IOException {
    this.data = data;
    this.device = device(data);
    this.group = groups.makeSlowReads(name, node.folder(), device, bytesPerSecond);
  }

  /**
   * Throttles a process.
   *
   * @param pid the process that reads the data set
   * @param dropCache the script that drops files from the page cache
   */
  void throttle(long pid, Path dropCache) throws IOException {
    Files.writeString(group.resolve("cgroup.procs"), Long.toString(pid));
    dropper =
        new ProcessBuilder(List.of("python3", dropCache.toString(), data.toString()))
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
  }

  /** The disk below a folder, as the kernel numbers it; a partition counts as its disk. */
  private static String device(Path folder) throws IOException {
    Path sys = Path.of("/sys/dev/block", DeviceNumber.of(folder)).toRealPath();
    Path disk = Files.exists(sys.resolve("partition")) ? sys.getParent() : sys;
    return Files.readString(disk.resolve("dev")).strip();
  }

  /** What has been read from the disk since the start. */
  long readBytes() throws IOException {
    return groups.readBytes(group, device);
  }

  /** Removes the throttle; the process has ended. */
  @Override
  public void close() throws IOException, StackException {
    atExit.cancel();
    release();
  }

  private void release() throws IOException, StackException {
    if (dropper != null) {
      dropper.destroy();
    }
    ControlGroups.remove(group);
  }
}
