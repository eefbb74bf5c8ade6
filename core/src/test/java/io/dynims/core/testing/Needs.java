package io.dynims.core.testing;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/**
 * What a test needs of the machine. A program that can be installed must be there, or the test
 * fails. What a machine can lack for good skips the test, with a message that begins with {@code
 * needs NAME: }.
 */
public final class Needs {

  /** What a machine can lack for good. */
  public enum Feature {
    Root,
    Fuse,
    ControlGroups,
    HugePages,
    Dpkg,
    ClusterPrograms;

    private String label() {
      return name().replaceAll("(?<=.)(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
  }

  private Needs() {}

  /** Returns the program or library, which must be installed. */
  public static Path installed(Path program, String debianPackage) {
    if (!Files.exists(program)) {
      Assertions.fail(
          "%s is missing: it is in the package %s, which ./dynims install installs"
              .formatted(program, debianPackage));
    }
    return program;
  }

  /** Skips the test unless the machine has the feature. */
  public static void feature(Feature feature, boolean hasIt, String reason) {
    if (!hasIt) {
      Assumptions.abort("needs %s: %s".formatted(feature.label(), reason));
    }
  }

  /** Skips the test unless it runs as root. */
  public static void root(String reason) {
    feature(Feature.Root, System.getProperty("user.name").equals("root"), reason);
  }
}
