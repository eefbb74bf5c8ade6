package io.dynims.cli.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.local.JavaCommand;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The program as it is shipped, ended in the middle of its checks. */
class TierCheckIT {

  @TempDir private Path folder;

  @Test
  void putsTheCapacityBackWhenItIsEnded() throws Exception {
    FakeStore store = new FakeStore(folder.resolve("fill"));
    try (FakeAdapter adapter =
        new FakeAdapter(store, folder, (request, real) -> real.real(request))) {
      var unused = store.resize(FakeStore.MAX_BYTES / 4 + 3);
      Path log = folder.resolve("log");
      Process check =
          new ProcessBuilder(
                  JavaCommand.light(
                      "-jar",
                      "target/dynims-cli.jar",
                      "tier-check",
                      adapter.url(),
                      "--token-file",
                      folder.resolve("token").toString(),
                      "--fill-command",
                      "kill -TERM $PPID; exec sleep 600",
                      "--timeout",
                      "600s"))
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        assertThat(check.waitFor(2, TimeUnit.MINUTES)).as(Files.readString(log)).isTrue();
        assertThat(check.exitValue()).as(Files.readString(log)).isEqualTo(128 + 15);
        assertThat(Files.readString(log))
            .contains("dynims: the capacity is put back to 268435459 bytes");
        assertThat(store.status().capacityBytes()).isEqualTo(FakeStore.MAX_BYTES / 4 + 3);
      } finally {
        check.destroyForcibly();
      }
    }
  }
}
