package io.dynims.cli.plot;

/** A plot of a report. */
public interface Figure {

  /** The last part of its file name, such as {@code latency}. */
  String name();

  /** What it shows. */
  String title();

  /** An SVG document that is readable on light and on dark pages. */
  String svg();

  /** Its data as CSV, with a header; empty if it has none to offer. */
  default String csv() {
    return "";
  }
}
