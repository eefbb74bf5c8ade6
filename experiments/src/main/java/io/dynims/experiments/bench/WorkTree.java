package io.dynims.experiments.bench;

import io.dynims.cli.stack.StackException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The project's files as git knows them.
 *
 * @param commit the commit that they are of; {@code unknown} if git does not say
 * @param changes the files that differ from it or are not in it, outside {@code
 *     experiments/results}
 */
record WorkTree(String commit, List<String> changes) {

  /** Follows the commit's name if files differ from it. */
  static final String CHANGED = "+changes";

  private static final String UNKNOWN = "unknown";
  private static final int MOST_NAMED = 3;

  static WorkTree of(Path project) {
    Git git = new Git(project);
    Optional<String> commit = git.run("rev-parse", "--short=12", "HEAD");
    Optional<String> status =
        git.run(
            "status",
            "--porcelain",
            "--untracked-files=normal",
            "--",
            ".",
            ":!experiments/results");
    return commit.isEmpty() || status.isEmpty()
        ? new WorkTree(UNKNOWN, List.of())
        : new WorkTree(commit.get(), status.get().lines().map(line -> line.substring(3)).toList());
  }

  /**
   * The files of a commit, which anybody can check out.
   *
   * @throws StackException if they are not just those of a commit
   */
  static WorkTree committed(Path project) throws StackException {
    WorkTree tree = of(project);
    if (tree.commit.equals(UNKNOWN)) {
      throw new StackException(
          "git does not tell the commit of " + project + ", which a saved page has to name");
    }
    if (!tree.changes.isEmpty()) {
      int more = tree.changes.size() - MOST_NAMED;
      throw new StackException(
          "uncommitted changes ("
              + String.join(
                  ", ", tree.changes.subList(0, Math.min(MOST_NAMED, tree.changes.size())))
              + (more > 0 ? " and " + more + " more" : "")
              + "), so that nobody could check out what is measured; commit or stash them, or leave"
              + " out --save");
    }
    return tree;
  }

  /** How a page names it. */
  String name() {
    return changes.isEmpty() ? commit : commit + CHANGED;
  }
}
