package io.dynims.cli.stack;

import io.dynims.local.FreePorts;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Homes, settings and free ports of stacks for tests. */
final class Stacks {

  static final Machine EIGHT_GIBIBYTES = new Machine(8L << 30, 6L << 30);

  private Stacks() {}

  static StackHome home(Path state) {
    return new StackHome(Path.of("..").toAbsolutePath().normalize(), state);
  }

  static StackSettings settings(StackHome home, String... given) throws Exception {
    return StackSettings.forNewStack(home, List.of(given), Map.of(), EIGHT_GIBIBYTES);
  }

  /** {@code KEY=PORT} for every port of a stack. */
  static List<String> freePorts() throws Exception {
    List<String> given = new ArrayList<>();
    FreePorts.forKeys(settings(home(Path.of("unused"))).ports().keySet())
        .forEach((key, port) -> given.add(key + "=" + port));
    return given;
  }
}
