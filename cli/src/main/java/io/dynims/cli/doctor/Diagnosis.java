package io.dynims.cli.doctor;

/**
 * The result of one check.
 *
 * @param name the check's name, such as {@code tier-size}
 * @param verdict how it ended
 * @param seen one line: what was seen, or why nothing was looked at
 * @param remedy the command or the setting that mends it; empty unless there is something to mend
 */
public record Diagnosis(String name, Verdict verdict, String seen, String remedy) {

  /** How a check ended. */
  public enum Verdict {
    ok,
    warning,
    error,
    skipped
  }

  private static final String INDENT = " ".repeat(34);

  /** Texts of other programs must not control the terminal. */
  public Diagnosis {
    seen = printable(seen);
    remedy = printable(remedy);
  }

  static Diagnosis ok(String seen) {
    return new Diagnosis("", Verdict.ok, seen, "");
  }

  static Diagnosis warning(String seen, String remedy) {
    return new Diagnosis("", Verdict.warning, seen, remedy);
  }

  static Diagnosis error(String seen, String remedy) {
    return new Diagnosis("", Verdict.error, seen, remedy);
  }

  static Diagnosis skipped(String why) {
    return new Diagnosis("", Verdict.skipped, why, "");
  }

  /** The same of a check with this name. */
  Diagnosis of(String check) {
    return new Diagnosis(check, verdict, seen, remedy);
  }

  /** The lines for a terminal: one, and another one for the remedy if there is one. */
  public String lines() {
    String line = "%-7s  %-23s  %s".formatted(verdict, name, seen);
    return remedy.isEmpty() ? line : line + System.lineSeparator() + INDENT + "mend: " + remedy;
  }

  private static String printable(String text) {
    return text.replaceAll("[\\s\\p{Cntrl}]+", " ").strip();
  }
}
