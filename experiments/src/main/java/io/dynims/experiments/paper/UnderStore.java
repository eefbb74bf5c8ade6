package io.dynims.experiments.paper;

import io.dynims.cli.stack.StackException;
import io.dynims.core.config.AtExit;
import io.dynims.experiments.bench.DeviceNumber;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A slow under store: the worker's reads from the disk are throttled by the kernel, and the data
 * set is dropped from the page cache all the time, which would deliver gigabytes per second.
 */
final class UnderStore implements AutoCloseable {

  private static final Path BLKIO = Path.of("/sys/fs/cgroup/blkio");

  private final Path group;
  private final Path data;
  private final String device;
  private final AtExit atExit = new AtExit(this::release);
  private Process dropper;

  /**
   * Prepares the throttle; nothing is throttled yet.
   *
   * @param data the folder of the data set
   */
  UnderStore(String name, Path data, long bytesPerSecond) throws StackException, IOException {
    this.group = BLKIO.resolve(name);
    this.data = data;
    if (!Files.isWritable(BLKIO.resolve("cgroup.procs"))) {
      throw new StackException(
          "the experiment needs the block I/O controller of control groups version 1 at " + BLKIO);
    }
    ControlGroups.remove(group); // For its counts to start at 0.
    Files.createDirectories(group);
    device = device(data);
    Files.writeString(
        group.resolve("blkio.throttle.read_bps_device"), device + " " + bytesPerSecond);
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
    for (String line : Files.readAllLines(group.resolve("blkio.throttle.io_service_bytes"))) {
      if (line.startsWith(device + " Read ")) {
        return Long.parseLong(line.substring(line.lastIndexOf(' ') + 1));
      }
    }
    return 0;
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
