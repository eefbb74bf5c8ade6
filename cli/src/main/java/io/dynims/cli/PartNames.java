package io.dynims.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Refuses names that are no part's. */
final class PartNames {

  private PartNames() {}

  static void check(CommandLine command, List<String> known, List<String> given) {
    for (String name : given) {
      if (!known.contains(name)) {
        throw new ParameterException(
            command, "'" + name + "' is no part; the parts are " + String.join(", ", known));
      }
    }
  }
}
