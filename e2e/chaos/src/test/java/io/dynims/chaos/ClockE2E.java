package io.dynims.chaos;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The wall clock of one part's host jumps by an hour and back; its monotonic clock does not. */
@Tag("long")
@ExtendWith(ChaosExtension.class)
class ClockE2E {

  private static final Path FAKETIME =
      Path.of("/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1");

  @ParameterizedTest
  @CsvSource({
    "collectd, +3600", "collectd, -3600",
    "flink, +3600", "flink, -3600",
    "controller, +3600", "controller, -3600"
  })
  void theNodeIsSafeWhenAClockJumps(String part, String step, ChaosRun chaos) throws Exception {
    Assumptions.assumeTrue(
        System.getenv("CI") != null || Files.exists(FAKETIME), "needs the package faketime");
    Path file = Files.createTempFile("dynims-clock-", "");
    try {
      set(file, "+0");
      Files.setPosixFilePermissions(
          file, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
      Map<String, String> preload =
          Map.of(
              "LD_PRELOAD",
              FAKETIME.toString(),
              "FAKETIME_TIMESTAMP_FILE",
              file.toString(),
              "FAKETIME_NO_CACHE",
              "1",
              "FAKETIME_DONT_FAKE_MONOTONIC",
              "1");
      chaos.stack().part(part).restart(command -> command, preload);
      chaos.run(
          "clock of " + part + " stepped by " + step + " s",
          Promise.NeverAboveMemory,
          Fault.of(stack -> set(file, step), stack -> set(file, "+0")));
    } finally {
      chaos.stack().part(part).restart(command -> command, Map.of());
      Files.delete(file);
    }
  }

  /** Preloads the library in the program alone, not in what changes to another user before it. */
  private static List<String> withClock(List<String> command, Path file) {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(
        command.indexOf("--") + 1,
        List.of(
            "env",
            "LD_PRELOAD=" + FAKETIME,
            "FAKETIME_TIMESTAMP_FILE=" + file,
            "FAKETIME_NO_CACHE=1",
            "FAKETIME_DISABLE_SHM=1",
            "FAKETIME_DONT_FAKE_MONOTONIC=1"));
    return whole;
  }

  private static void set(Path file, String offset) throws Exception {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, offset + "\n");
    Files.setPosixFilePermissions(
        next, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
