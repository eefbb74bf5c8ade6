package io.dynims.experiments.bench.tier;

/** The parts of the study. */
public enum StudyPart {
  /** Each interface while nothing happens to the tier, with its data there and not there. */
  Rest,
  /** Single accesses while the tier is resized. */
  Resizing,
  /** Several nodes that reach the tier over a network. */
  Nodes
}
