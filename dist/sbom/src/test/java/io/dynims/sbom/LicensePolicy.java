package io.dynims.sbom;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The libraries that may be shipped with programs under Apache-2.0: those under an allowed licence,
 * and those whose licence was looked up because their POM names none or an ambiguous one.
 */
final class LicensePolicy {

  /** SPDX identifiers. The GPL is allowed with the Classpath exception only. */
  private static final Set<String> ALLOWED =
      Set.of(
          "Apache-2.0",
          "BSD-2-Clause",
          "BSD-3-Clause",
          "CC0-1.0",
          "CDDL-1.0",
          "CDDL-1.1",
          "EPL-1.0",
          "EPL-2.0",
          "GPL-2.0-with-classpath-exception",
          "MIT",
          "MIT-0");

  /**
   * A licence that was looked up.
   *
   * @param library group:artifact, or group:* for a whole group
   * @param license the SPDX identifier
   */
  record Verified(String library, String license) {

    boolean covers(Component component) {
      return library.equals(component.coordinates()) || library.equals(component.group() + ":*");
    }
  }

  private final List<Verified> verified;

  LicensePolicy(List<Verified> verified) {
    this.verified = List.copyOf(verified);
  }

  /** Reads a CSV file of library, licence and source, with a header line. */
  static LicensePolicy read(Path file) throws IOException {
    List<Verified> verified = new ArrayList<>();
    for (String line : Files.readAllLines(file).stream().skip(1).toList()) {
      String[] fields = line.split(",", 3);
      if (fields.length < 3 || fields[2].isBlank()) {
        throw new IOException(file + ": expected library, license and source: " + line);
      }
      verified.add(new Verified(fields[0], fields[1]));
    }
    return new LicensePolicy(verified);
  }

  /** The reason why this component may not be shipped, or nothing. */
  Optional<String> objection(Component component) {
    if (hasAllowedLicense(component)) {
      return Optional.empty();
    }
    List<String> licenses =
        verified.stream()
            .filter(each -> each.covers(component))
            .map(Verified::license)
            .findFirst()
            .map(List::of)
            .orElse(component.licenses());
    if (licenses.stream().anyMatch(ALLOWED::contains)) {
      return Optional.empty();
    }
    return Optional.of(
        component.coordinates()
            + ":"
            + component.version()
            + (licenses.isEmpty() ? " names no license" : " is licensed under " + licenses));
  }

  /** The looked-up licences that none of these components needs any more. */
  List<String> unused(Collection<Component> components) {
    return verified.stream()
        .filter(
            each ->
                components.stream()
                    .noneMatch(other -> each.covers(other) && !hasAllowedLicense(other)))
        .map(Verified::library)
        .toList();
  }

  /** A POM with several licences leaves the choice to the user. */
  private static boolean hasAllowedLicense(Component component) {
    return component.licenses().stream().anyMatch(ALLOWED::contains);
  }
}
