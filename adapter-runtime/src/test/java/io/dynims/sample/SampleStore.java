package io.dynims.sample;

import io.dynims.adapter.runtime.AdapterProgram;
import io.dynims.adapter.runtime.LimitedSettings;
import io.dynims.adapter.runtime.LimitedStore;
import io.dynims.adapter.runtime.LimitedTier;
import io.dynims.adapter.runtime.StoreReading;
import java.util.ArrayDeque;

/** A whole adapter: its store keeps what was added last, within a limit, in this process. */
public final class SampleStore implements LimitedStore {
  static final String SETTINGS =
      """
      tier.name = ${DYNIMS_TIER_NAME:sample}
      tier.min = ${DYNIMS_ADAPTER_TIER_MIN:1Mi}
      tier.max = ${DYNIMS_ADAPTER_TIER_MAX:64Mi}
      resize.budget = ${DYNIMS_ADAPTER_RESIZE_BUDGET:300ms}
      """;

  private final ArrayDeque<byte[]> entries = new ArrayDeque<>();
  private long limitBytes = Long.MAX_VALUE;
  private long usedBytes;

  synchronized void add(byte[] entry) {
    entries.add(entry);
    usedBytes += entry.length;
    step(limitBytes);
  }

  @Override
  public void connect() {} // To a server, unless it is connected already.

  @Override
  public synchronized StoreReading read() {
    return new StoreReading(limitBytes, usedBytes, usedBytes, 0, 0, "sample 1.0");
  }

  @Override
  public synchronized boolean step(long goalBytes) {
    limitBytes = goalBytes;
    while (usedBytes > limitBytes) {
      usedBytes -= entries.remove().length;
    }
    return true; // The goal is reached; a large store takes several steps.
  }

  @Override
  public void close() {}

  public static void main(String[] args) {
    new AdapterProgram("sample-adapter", "Serves the Tier API for a sample store.", SETTINGS)
        .main(
            args,
            (config, all, state, nodeMemoryBytes) -> {
              LimitedSettings settings = LimitedSettings.read(config, all, 0);
              config.check();
              return new LimitedTier(settings, new SampleStore(), state, nodeMemoryBytes);
            });
  }
}
