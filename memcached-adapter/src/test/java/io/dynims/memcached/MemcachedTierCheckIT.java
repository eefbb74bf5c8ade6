package io.dynims.memcached;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.adapter.runtime.ServerProcess;
import io.dynims.adapter.runtime.ShippedAdapter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dynims tier-check} on the adapter as it is shipped, with a real memcached server. */
class MemcachedTierCheckIT {

  private static final long MAX_BYTES = 256L << 20;

  /** Values of 64 KiB on one connection; the answer to the last command says that all are there. */
  private static final String FILL =
      "bash -c 'exec 3<>/dev/tcp/127.0.0.1/%d;"
          + " for i in $(seq $((DYNIMS_FILL_BYTES / 65536))); do"
          + " { printf \"set fill$i 0 0 65536 noreply\\r\\n\"; head -c 65536 /dev/zero;"
          + " printf \"\\r\\n\"; } >&3; done;"
          + " printf \"version\\r\\n\" >&3; read -r answer <&3; [[ $answer = VERSION* ]]'";

  @TempDir private Path folder;

  @Test
  void everyCheckPasses() throws Exception {
    try (ServerProcess memcached = MemcachedAdapterIT.server(MAX_BYTES, List.of());
        ShippedAdapter adapter =
            new ShippedAdapter(
                Path.of("target/dynims-memcached-adapter.jar"),
                folder,
                List.of(
                    "--store.address=127.0.0.1:" + memcached.address().getPort(),
                    "--tier.max=" + MAX_BYTES))) {
      assertThat(adapter.checked("--fill-command", FILL.formatted(memcached.address().getPort())))
          .doesNotContain("SKIP");
    }
  }
}
