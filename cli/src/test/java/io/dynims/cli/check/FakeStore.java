package io.dynims.cli.check;

import io.dynims.cli.TierStatuses;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A store without data that tells its resident memory, and takes data from a file with its size.
 */
final class FakeStore implements TierStore {

  static final long MIN_BYTES = 1L << 20;
  static final long MAX_BYTES = 1L << 30;
  static final long FILLED_BYTES = MAX_BYTES / 2;
  private static final long PROGRAM_BYTES = 10L << 20;

  private final InMemoryTierStore store = new InMemoryTierStore("fake", MIN_BYTES, MAX_BYTES);
  private final Path fill;

  FakeStore(Path fill) {
    this.fill = fill;
    store.write(FILLED_BYTES);
  }

  @Override
  public synchronized TierStatus status() throws StoreUnavailableException {
    try {
      if (Files.exists(fill)) {
        store.write(Long.parseLong(Files.readString(fill).strip()));
        Files.delete(fill);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return withResident(store.status());
  }

  @Override
  public TierStatus resize(long desiredBytes) throws StoreUnavailableException {
    return withResident(store.resize(desiredBytes));
  }

  private static TierStatus withResident(TierStatus status) {
    return TierStatuses.withMemory(
        status, status.nodeMemoryBytes(), status.usedBytes() + PROGRAM_BYTES);
  }
}
