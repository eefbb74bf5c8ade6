package io.dynims.cli.stack;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A memory control group that plays the node: what runs in the groups below it is what runs on the
 * node, and its limit is the node's memory.
 *
 * @param folder the group's folder, which need not exist yet
 */
public record NodeGroup(Path folder) {

  /** Where the host's control groups are mounted. */
  static final Path ROOT = Path.of("/sys/fs/cgroup");

  private static final String ENTER =
      "mkdir -p \"$0\" && echo $$ >\"$0/cgroup.procs\" && exec \"$@\"";

  /** The command line of a program that runs in a group below this one. */
  public List<String> command(String child, List<String> program) {
    List<String> command =
        new ArrayList<>(List.of("sh", "-c", ENTER, folder.resolve(child).toString()));
    command.addAll(program);
    return List.copyOf(command);
  }
}
