package io.dynims.experiments.bench.fleet;

import io.dynims.cli.stack.StackException;

/** Not every node of a fleet received its first decision in time. */
final class UnservedException extends StackException {

  private static final long serialVersionUID = 1L;

  UnservedException(int served, int nodes, long waitedMillis) {
    super("only %d of %d were served within %d s".formatted(served, nodes, waitedMillis / 1_000));
  }
}
