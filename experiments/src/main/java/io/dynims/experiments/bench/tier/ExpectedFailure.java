package io.dynims.experiments.bench.tier;

import java.util.Arrays;
import java.util.Optional;

/** What interfaces are known not to do. A cell that fails in any other way breaks the study. */
enum ExpectedFailure {
  ClientWritesAtRandom(
      AccessKind.Native,
      "written once, from start to end",
      "Alluxio's client writes a file once, from start to end") {
    @Override
    boolean covers(StudyCell cell) {
      return cell.write() && cell.random();
    }
  },
  MountWritesAtRandom(
      AccessKind.Fuse,
      "Operation not supported",
      "Alluxio's FUSE mount writes a file once, from start to end") {
    @Override
    boolean covers(StudyCell cell) {
      return cell.write() && cell.random();
    }
  },
  /** It comes and goes. */
  ClientWritesFasterThanTheWorkerFrees(
      AccessKind.Native,
      "Not enough space left on worker",
      "the worker frees the blocks of a replaced file at its next heartbeat only") {
    @Override
    boolean covers(StudyCell cell) {
      return cell.write() && cell.processesInAll() > 2;
    }

    @Override
    boolean isConstant() {
      return false;
    }
  };

  private final AccessKind kind;
  private final String message;
  private final String reason;

  ExpectedFailure(AccessKind kind, String message, String reason) {
    this.kind = kind;
    this.message = message;
    this.reason = reason;
  }

  /** Whether a cell of its interface fails like this. */
  abstract boolean covers(StudyCell cell);

  /** Whether such a cell always fails. */
  boolean isConstant() {
    return true;
  }

  /** Why, in words. */
  String reason() {
    return reason;
  }

  /** The failure that a cell's error is. */
  static Optional<ExpectedFailure> of(StudyCell cell, String error) {
    return Arrays.stream(values())
        .filter(each -> each.kind == cell.kind() && each.covers(cell))
        .filter(each -> error.contains(each.message))
        .findFirst();
  }

  /** The failure that a cell should have had, which succeeded. */
  static Optional<ExpectedFailure> missing(StudyCell cell) {
    return Arrays.stream(values())
        .filter(each -> each.kind == cell.kind() && each.covers(cell) && each.isConstant())
        .findFirst();
  }
}
