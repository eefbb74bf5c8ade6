package io.dynims.experiments.paper;

import static java.util.stream.Collectors.joining;

import io.dynims.cli.stack.StackException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * This machine's control groups, of version 1 or 2. A group that plays a node has the node's memory
 * as its limit; its programs are in groups below it.
 */
public final class ControlGroups {

  private static final int ATTEMPTS = 200;
  private static final long ATTEMPT_MILLIS = 100;

  private final Path root;
  private final boolean unified;

  /**
   * Finds out which version there is.
   *
   * @param root where they are mounted
   */
  ControlGroups(Path root) {
    this.root = root;
    this.unified = Files.exists(root.resolve("cgroup.controllers"));
  }

  /** Those that this machine has mounted. */
  public static ControlGroups ofThisMachine() {
    return new ControlGroups(Path.of("/sys/fs/cgroup"));
  }

  /** Whether this user may make groups with a limit of memory. */
  public boolean isUsable() {
    return Files.isWritable(top("memory").resolve("cgroup.procs"));
  }

  /** Where the group of a node is. */
  public Path node(String name) {
    return top("memory").resolve(name);
  }

  /**
   * Makes the group of a node, anew if an interrupted program has left one.
   *
   * @param limitBytes what everything in it may use
   * @throws StackException if this user may not
   */
  Path makeNode(String name, long limitBytes) throws StackException, IOException {
    require("memory");
    Path node = node(name);
    remove(node);
    if (unified) {
      enable(root, "memory", "io");
    }
    Files.createDirectories(node);
    if (unified) {
      enable(node, "memory", "io");
    }
    Files.writeString(
        node.resolve(unified ? "memory.max" : "memory.limit_in_bytes"), Long.toString(limitBytes));
    return node;
  }

  /** How often the kernel killed a process of a node for want of memory. */
  long outOfMemoryKills(Path node) throws IOException {
    if (unified) {
      return number(node.resolve("memory.events"), "oom_kill "); // Of all groups below it, too.
    }
    long kills = 0;
    try (Stream<Path> groups = Files.walk(node)) {
      for (Path control : groups.filter(path -> path.endsWith("memory.oom_control")).toList()) {
        kills += number(control, "oom_kill ");
      }
    }
    return kills;
  }

  /**
   * Makes a group whose processes read slowly from a disk, for a process of a node. In version 2 it
   * is a group of the node, as a process is in one group only.
   *
   * @param device the disk's number, such as {@code 8:0}
   * @throws StackException if this user may not
   */
  Path makeSlowReads(String name, Path node, String device, long bytesPerSecond)
      throws StackException, IOException {
    require("blkio");
    Path group = unified ? node.resolve("slow") : root.resolve("blkio").resolve(name);
    remove(group); // For its counts to start at 0.
    Files.createDirectories(group);
    if (unified) {
      Files.writeString(group.resolve("io.max"), device + " rbps=" + bytesPerSecond);
    } else {
      Files.writeString(
          group.resolve("blkio.throttle.read_bps_device"), device + " " + bytesPerSecond);
    }
    return group;
  }

  /** What processes of such a group have read from the disk. */
  long readBytes(Path slow, String device) throws IOException {
    if (!unified) {
      return number(slow.resolve("blkio.throttle.io_service_bytes"), device + " Read ");
    }
    for (String line : Files.readAllLines(slow.resolve("io.stat"))) {
      if (line.startsWith(device + " ")) {
        return fieldOf(line, "rbytes=");
      }
    }
    return 0;
  }

  /**
   * Removes a group and those below it as soon as their processes have ended; harmless if there is
   * none.
   *
   * @throws StackException if they do not end
   */
  public static void remove(Path folder) throws IOException, StackException {
    for (int i = 0; Files.exists(folder); i++) {
      try {
        for (Path group : innermostFirst(folder)) {
          Files.delete(group);
        }
      } catch (IOException e) {
        if (i == ATTEMPTS) {
          throw new StackException("the control group " + folder + " has processes: " + e, e);
        }
        pause();
      }
    }
  }

  /** The folder of a controller's groups. */
  private Path top(String controller) {
    return unified ? root : root.resolve(controller);
  }

  private void require(String controller) throws StackException {
    Path top = top(controller);
    if (!Files.isWritable(top.resolve("cgroup.procs"))) {
      throw new StackException(
          "the experiment needs control groups with the controllers memory and io (version 2) or"
              + " blkio (version 1), and root: "
              + top
              + " cannot be written");
    }
  }

  /** Gives controllers to the groups below a group. */
  private static void enable(Path group, String... controllers) throws StackException, IOException {
    Set<String> missing = new TreeSet<>(Set.of(controllers));
    missing.removeAll(words(group.resolve("cgroup.controllers")));
    if (!missing.isEmpty()) {
      throw new StackException(group + " lacks the controllers " + missing);
    }
    Set<String> wanted = new TreeSet<>(Set.of(controllers));
    wanted.removeAll(words(group.resolve("cgroup.subtree_control")));
    if (!wanted.isEmpty()) {
      Files.writeString(
          group.resolve("cgroup.subtree_control"),
          wanted.stream().map(each -> "+" + each).collect(joining(" ")));
    }
  }

  private static Set<String> words(Path file) throws IOException {
    return Set.of(Files.readString(file).strip().split(" ", -1));
  }

  /** The number behind a prefix of a line; 0 if no line has it. */
  private static long number(Path file, String prefix) throws IOException {
    for (String line : Files.readAllLines(file)) {
      if (line.startsWith(prefix)) {
        return Long.parseLong(line.substring(prefix.length()));
      }
    }
    return 0;
  }

  private static long fieldOf(String line, String name) {
    for (String field : line.split(" ", -1)) {
      if (field.startsWith(name)) {
        return Long.parseLong(field.substring(name.length()));
      }
    }
    return 0;
  }

  private static List<Path> innermostFirst(Path folder) throws IOException {
    try (Stream<Path> paths = Files.walk(folder)) {
      return paths.filter(Files::isDirectory).sorted(Comparator.reverseOrder()).toList();
    }
  }

  private static void pause() throws IOException {
    try {
      Thread.sleep(ATTEMPT_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
