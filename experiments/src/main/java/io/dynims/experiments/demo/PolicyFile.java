package io.dynims.experiments.demo;

import io.dynims.core.law.LawType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sets the memory budget and the law in the stack's MemoryTier document. */
public final class PolicyFile {

  private static final Pattern LAW = Pattern.compile("(?m)^  law: *\\{.*\\}.*$");
  private static final Pattern MEMORY = Pattern.compile("(?m)^  memory:.*\\R?");
  private static final Pattern MEMORY_AS_BLOCK = Pattern.compile("(?m)^  memory:\\s*(#.*)?$");

  private PolicyFile() {}

  /** Sets the budget; replaces the file atomically. */
  public static void setBudget(Path file, long budgetBytes) throws IOException {
    replace(file, withBudget(Files.readString(file), budgetBytes));
  }

  /**
   * Sets the budget, the law and its threshold, with defaults for the law's other parameters;
   * replaces the file atomically.
   */
  public static void setLaw(Path file, LawType law, double threshold, long budgetBytes)
      throws IOException {
    replace(file, withLaw(withBudget(Files.readString(file), budgetBytes), law, threshold));
  }

  /** Replaces the file atomically. */
  static void replace(Path file, String document) throws IOException {
    Path partial = file.resolveSibling(file.getFileName() + ".partial");
    Files.writeString(partial, document);
    Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /**
   * The document with another law, otherwise unchanged.
   *
   * @throws IOException if it does not have its law on one line
   */
  static String withLaw(String document, LawType law, double threshold) throws IOException {
    Matcher line = LAW.matcher(document);
    if (!line.find()) {
      throw new IOException("spec.law: write it on one line, as law: {type: Feedback}");
    }
    return line.replaceAll("  law: {type: " + law + ", threshold: " + threshold + "}");
  }

  /**
   * The document with another memory.total, otherwise unchanged.
   *
   * @throws IOException if it is not a single document whose spec has its memory, if any, on one
   *     line
   */
  static String withBudget(String document, long budgetBytes) throws IOException {
    if (MEMORY_AS_BLOCK.matcher(document).find()) {
      throw new IOException("spec.memory: write it on one line, as memory: {total: 8Gi}");
    }
    if (!document.contains("\nspec:") || document.contains("\n---")) {
      throw new IOException("not a single MemoryTier document with a block-style spec");
    }
    String line = "  memory: {total: " + budgetBytes + "}\n";
    String rest = MEMORY.matcher(document).replaceAll("");
    int spec = rest.indexOf("\nspec:");
    int end = rest.indexOf('\n', spec + 1);
    return end < 0
        ? rest + "\n" + line
        : rest.substring(0, end + 1) + line + rest.substring(end + 1);
  }
}
