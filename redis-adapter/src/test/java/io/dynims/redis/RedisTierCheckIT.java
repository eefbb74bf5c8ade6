package io.dynims.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.adapter.runtime.ServerProcess;
import io.dynims.adapter.runtime.ShippedAdapter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dynims tier-check} on the adapter as it is shipped, with a real Redis server. */
class RedisTierCheckIT {

  private static final long MAX_BYTES = 256L << 20;

  /** Values of 1 MB, one after the other. */
  private static final String FILL =
      "for i in $(seq $((DYNIMS_FILL_BYTES / 1000000))); do"
          + " head -c 1000000 /dev/zero | redis-cli -p %d -x set fill:$i || exit; done";

  @TempDir private Path folder;

  @Test
  void everyCheckPasses() throws Exception {
    try (ServerProcess redis = RedisProcess.start(MAX_BYTES, List.of());
        ShippedAdapter adapter =
            new ShippedAdapter(
                Path.of("target/dynims-redis-adapter.jar"),
                folder,
                List.of(
                    "--store.address=127.0.0.1:" + redis.address().getPort(),
                    "--tier.max=" + MAX_BYTES))) {
      assertThat(adapter.checked("--fill-command", FILL.formatted(redis.address().getPort())))
          .doesNotContain("SKIP");
    }
  }
}
