package io.dynims.adapter;

import alluxio.wire.WorkerInfo;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * The quota of the worker's tier: what the worker is configured with, as the master reports, less
 * what the worker keeps for itself. For one thread at a time.
 */
final class TierQuota {

  private static final Logger LOG = LogManager.getLogger(TierQuota.class);

  private final Settings settings;
  private final StateFile stateFile;

  /** The last known quota, for a worker that is back before the master knows; 0 if unknown. */
  private long bytes;

  private String storeVersion = "unknown";

  /** Whether the warning that what the worker keeps is unknown was logged for this worker. */
  private boolean warned;

  /**
   * The quota of an earlier run, else that of the settings.
   *
   * @param stateFile knows the quota of an earlier run, and keeps that of this one
   */
  TierQuota(Settings settings, StateFile stateFile) {
    this.settings = settings;
    this.stateFile = stateFile;
    Long savedBytes = stateFile.state().maxBytes();
    this.bytes = savedBytes != null ? savedBytes : settings.maxBytes().orElse(0L);
  }

  /** In bytes, as last known; 0 if never. */
  long bytes() {
    return bytes;
  }

  /** Alluxio's version, as last known. */
  String storeVersion() {
    return storeVersion;
  }

  /** Call it before a new connection, behind which may be a worker with another quota. */
  void expectAnother() {
    warned = false;
  }

  /**
   * Asks the master and, if it has several tiers, the worker; waits for them.
   *
   * @return whether both have answered; what the worker keeps for itself counts as 0 until then
   * @throws StoreUnavailableException if the master is unavailable or does not know the tier, or
   *     the worker keeps all of it; caused by a {@link FileSystemException} if nothing but a change
   *     of the worker's settings helps
   */
  boolean ask() throws StoreUnavailableException {
    long capacityBytes;
    int tiers;
    try {
      WorkerInfo info = AlluxioClient.workerInfo(settings.worker(), settings.node());
      storeVersion = info.getVersion();
      Long configuredBytes = info.getCapacityBytesOnTiers().get(settings.tierAlias());
      if (configuredBytes == null) {
        throw new IOException("the worker has no tier '" + settings.tierAlias() + "'");
      }
      capacityBytes = configuredBytes;
      tiers = info.getCapacityBytesOnTiers().size();
    } catch (IOException e) {
      throw new StoreUnavailableException(
          "the size of the Alluxio worker's tier is unknown: " + e.getMessage(), e);
    }
    if (tiers == 1) {
      set(capacityBytes);
      return true;
    }
    return setWithoutReserve(capacityBytes);
  }

  private boolean setWithoutReserve(long capacityBytes) throws StoreUnavailableException {
    long reservedBytes;
    try {
      reservedBytes = WorkerWeb.reservedBytes(settings.workerMetrics());
    } catch (IOException e) {
      if (!warned) {
        LOG.warn(
            "the worker has several tiers, and what it keeps of the top one for moving blocks is"
                + " unknown, so more may be evicted than a smaller capacity needs: {}",
            e.getMessage());
      }
      warned = true;
      set(capacityBytes);
      return false;
    }
    if (reservedBytes >= capacityBytes) {
      String message =
          ("the worker keeps %d bytes of each tier for moving blocks, and its top one has %d:"
                  + " nothing can be cached there; set"
                  + " alluxio.worker.management.tier.align.reserved.bytes to less")
              .formatted(reservedBytes, capacityBytes);
      throw new StoreUnavailableException(message, new FileSystemException(message));
    }
    if (reservedBytes > 0 && bytes != capacityBytes - reservedBytes) {
      LOG.info(
          "of the {} bytes of its top tier, the worker keeps {} for moving blocks between tiers",
          capacityBytes,
          reservedBytes);
    }
    set(capacityBytes - reservedBytes);
    return true;
  }

  private void set(long quotaBytes) {
    bytes = quotaBytes;
    stateFile.change(state -> state.withMax(quotaBytes));
  }
}
