package io.dynims.mpiio;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.adapter.runtime.ShippedAdapter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dynims tier-check} on the adapter as it is shipped, with the real agent. */
class MpiIoTierCheckIT {

  private static final long MAX_BYTES = 256L << 20;

  /** Without a minimum there is nothing to ask for below it. */
  private static final long MIN_BYTES = 16L << 20;

  /** A new file each time, read once through the cache. */
  private static final String FILL =
      "file=$(mktemp %s/XXXXXX) && head -c $DYNIMS_FILL_BYTES /dev/urandom >$file && %s %s $file";

  @TempDir private Path folder;

  @Test
  void everyCheckPasses() throws Exception {
    Path files = Files.createDirectory(folder.resolve("files"));
    Path adapterFolder = Files.createDirectory(folder.resolve("adapter"));
    try (AgentProcess agent = new AgentProcess(MAX_BYTES);
        ShippedAdapter adapter =
            new ShippedAdapter(
                Path.of("target/dynims-mpiio-adapter.jar"),
                adapterFolder,
                List.of(
                    "--store.directory=" + agent.settings().directory(),
                    "--tier.min=" + MIN_BYTES,
                    "--tier.max=" + MAX_BYTES))) {
      String fill =
          FILL.formatted(files, AgentProcess.program("mpiio-fill"), agent.settings().directory());
      assertThat(adapter.checked("--fill-command", fill)).doesNotContain("SKIP");
    }
  }
}
