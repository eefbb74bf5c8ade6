package io.dynims.experiments.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A page of results in {@code experiments/results}.
 *
 * @param commit the commit that it names
 * @param changed whether what was measured had uncommitted changes
 */
public record SavedPage(Path file, String text, String commit, boolean changed) {

  private static final Pattern COMMIT =
      Pattern.compile(
          "(?m)^\\| commit \\| ([0-9a-f]{7,40})(" + Pattern.quote(WorkTree.CHANGED) + ")? \\|$");
  private static final String MARK = "> **Caution:** ";
  private static final Pattern CAUTION =
      Pattern.compile("(?m)^" + Pattern.quote(MARK) + "(.*)\n\n");

  /** The page in a file; empty if it names no commit, as one that was written by hand. */
  static Optional<SavedPage> read(Path file) throws IOException {
    String text = Files.readString(file);
    Matcher commit = COMMIT.matcher(text);
    return commit.find()
        ? Optional.of(new SavedPage(file, text, commit.group(1), commit.group(2) != null))
        : Optional.empty();
  }

  public String name() {
    return file.getFileName().toString().replace(".md", "");
  }

  /** What it says at its top of how far its figures can be trusted; may be empty. */
  public String caution() {
    Matcher caution = CAUTION.matcher(text);
    return caution.find() ? caution.group(1) : "";
  }

  /** Writes the page with another caution, or without one. */
  void write(String caution) throws IOException {
    String without = CAUTION.matcher(text).replaceAll("");
    int title = without.indexOf("\n\n") + 2;
    Files.writeString(
        file,
        caution.isEmpty()
            ? without
            : without.substring(0, title) + MARK + caution + "\n\n" + without.substring(title));
  }
}
