package io.dynims.cli;

import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/** Rejects names that no part has. */
final class PartNames {

  private PartNames() {}

  static void check(CommandLine command, List<String> known, List<String> given) {
    for (String name : given) {
      if (!known.contains(name)) {
        throw new ParameterException(
            command, "'" + name + "' is not a part; the parts are " + String.join(", ", known));
      }
    }
  }
}
