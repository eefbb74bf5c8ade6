package io.dynims.sample;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.adapter.runtime.LimitedSettings;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.cli.CliContext;
import io.dynims.cli.Dynims;
import io.dynims.tier.CapacityBounds;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.StateFile;
import io.dynims.tier.TierAccess;
import io.dynims.tier.TierContract;
import io.dynims.tier.TierServer;
import io.dynims.tier.TierStore;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The sample of docs/write-an-adapter.md keeps the contract, and stays small. */
class SampleStoreTest extends TierContract {

  private static final int ENTRY_BYTES = 64 << 10;
  private static final long MAX_BYTES = 16L << 20;

  private final SampleStore sample = new SampleStore();
  @AutoClose private LimitedTier tier;

  @Override
  protected TierStore store() throws Exception {
    tier =
        new LimitedTier(
            new LimitedSettings(
                "sample", new CapacityBounds(1 << 20, MAX_BYTES), TimeUnit.SECONDS.toNanos(4)),
            sample,
            StateFile.open(Optional.empty()),
            null);
    tier.start();
    return tier;
  }

  @Override
  protected void fill() {
    for (int i = 0; i < MAX_BYTES / ENTRY_BYTES; i++) {
      sample.add(new byte[ENTRY_BYTES]);
    }
  }

  @Test
  void passesTierCheck() throws Exception {
    fill();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PrintStream print = new PrintStream(out, true, UTF_8);
    try (TierServer server =
        TierServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            tier,
            GuardSettings.none(),
            TierAccess.anyone())) {
      CliContext context = new CliContext(Path.of(".."), Map.of(), print, print);

      int exitCode = Dynims.run(context, List.of(), "tier-check", server.uri().toString());

      assertThat(exitCode).as(out.toString(UTF_8)).isZero();
      assertThat(out.toString(UTF_8)).contains("PASS  used-stays-after-growth");
    }
  }

  @Test
  void hasAtMost60Lines() throws Exception {
    assertThat(Files.readAllLines(Path.of("src/test/java/io/dynims/sample/SampleStore.java")))
        .hasSizeLessThanOrEqualTo(60);
  }
}
