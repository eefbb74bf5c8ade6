package io.dynims.experiments.bench;

/** A plot of a report. */
public interface Figure {

  /** The end of its file's name, such as {@code latency}. */
  String name();

  /** What it shows. */
  String title();

  /** A whole SVG document that can be read on light and on dark pages. */
  String svg();
}
