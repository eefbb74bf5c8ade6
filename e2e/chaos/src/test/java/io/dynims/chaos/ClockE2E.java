package io.dynims.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The wall clock of one part's host jumps by an hour and back; its monotonic clock does not. */
@Tag("long")
@ExtendWith(ChaosExtension.class)
class ClockE2E {

  private static final Path FAKETIME =
      Path.of(
          "/usr/lib/%s-linux-gnu/faketime/libfaketimeMT.so.1"
              .formatted(System.getProperty("os.arch").replace("amd64", "x86_64")));

  @ParameterizedTest
  @CsvSource({
    "collectd, +3600", "collectd, -3600",
    "flink, +3600", "flink, -3600",
    "controller, +3600", "controller, -3600"
  })
  void theNodeIsSafeWhenAClockJumps(String part, String step, ChaosRun chaos) throws Exception {
    Needs.installed(FAKETIME, "faketime");
    Path file = Files.createTempFile("dynims-clock-", "");
    try {
      set(file, "+0");
      Files.setPosixFilePermissions(
          file, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
      chaos.stack().part(part).restart(command -> withClock(command, file), Map.of());
      long pid = chaos.stack().part(part).pid();
      chaos.run(
          "clock of " + part + " stepped by " + step + " s",
          Promise.NeverAboveMemory,
          Fault.of(
              stack -> {
                assertThat(chaos.stack().part(part).pid())
                    .as("the part with that clock")
                    .isEqualTo(pid);
                set(file, step);
              },
              stack -> {
                set(file, "+0");
                if (part.equals("collectd")) {
                  // After a step back collectd itself waits until the old time has come again.
                  stack.part(part).restart(command -> command, Map.of());
                }
              }));
    } finally {
      long pid = chaos.stack().part(part).pid();
      chaos.stack().part(part).restart(command -> command, Map.of());
      removeShared(pid);
      Files.delete(file);
    }
  }

  /**
   * The command with the library, which reads the file once a second. It needs the user who started
   * it, so that a part that would become another one does not.
   */
  private static List<String> withClock(List<String> command, Path file) {
    List<String> whole =
        new ArrayList<>(
            List.of(
                "env",
                "LD_PRELOAD=" + FAKETIME,
                "FAKETIME_TIMESTAMP_FILE=" + file,
                "FAKETIME_CACHE_DURATION=1",
                "FAKETIME_DONT_FAKE_MONOTONIC=1"));
    whole.addAll(command.subList(command.indexOf("--") + 1, command.size()));
    return whole;
  }

  /** What the library leaves in shared memory when its program is killed. */
  private static void removeShared(long pid) throws IOException {
    Files.deleteIfExists(Path.of("/dev/shm/faketime_shm_" + pid));
    Files.deleteIfExists(Path.of("/dev/shm/sem.faketime_sem_" + pid));
  }

  private static void set(Path file, String offset) throws Exception {
    Path next = file.resolveSibling(file.getFileName() + ".next");
    Files.writeString(next, offset + "\n");
    Files.setPosixFilePermissions(
        next, java.nio.file.attribute.PosixFilePermissions.fromString("rw-r--r--"));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
