package io.dynims.cli.check;

/**
 * The result of one check.
 *
 * @param name the check's name, such as {@code older-sample}
 * @param verdict how it ended
 * @param reason one line: what was seen
 */
public record CheckResult(String name, Verdict verdict, String reason) {

  /** How a check ended. */
  public enum Verdict {
    PASS,
    FAIL,
    SKIP
  }

  /** The line for a terminal. */
  public String line() {
    return "%-4s  %-28s  %s".formatted(verdict, name, reason);
  }
}
