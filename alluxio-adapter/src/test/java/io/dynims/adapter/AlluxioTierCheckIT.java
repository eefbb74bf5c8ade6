package io.dynims.adapter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.dynims.adapter.runtime.ShippedAdapter;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierStatus;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code dynims tier-check} on the adapter as it is shipped, with a stock Alluxio worker. */
class AlluxioTierCheckIT {

  @TempDir private Path folder;

  @Test
  void everyCheckPasses() throws Exception {
    try (AlluxioFixture alluxio = AlluxioFixture.start()) {
      alluxio.awaitWritable();
      alluxio.fill();
      try (ShippedAdapter adapter =
          new ShippedAdapter(
              Path.of(System.getProperty("dynims.adapter.jar")),
              folder,
              List.of(
                  "--worker.address=127.0.0.1:" + alluxio.cluster.workerAddress().getPort(),
                  "--worker.metrics.url=" + alluxio.cluster.workerMetrics(),
                  "--master.address=127.0.0.1:" + alluxio.cluster.masterAddress().getPort(),
                  "--tier.directory=" + alluxio.cluster.tierDirectory(),
                  "--tier.min=16Mi"))) {
        // Files that are persisted already; the adapter has to ask the master first.
        await()
            .until(
                () -> {
                  TierStatus tier = new TierClient(adapter.address()).get().tier();
                  return tier != null && Long.valueOf(0).equals(tier.unpersistedBytes());
                });

        assertThat(adapter.checked())
            .contains("PASS  used-follows-shrink", "PASS  used-stays-after-growth", "PASS  restart")
            .containsPattern("SKIP  used-counts-data +no --fill-command");
      }
    }
  }
}
