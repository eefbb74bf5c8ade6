package io.dynims.adapter;

import alluxio.wire.WorkerInfo;
import io.dynims.tier.StoreUnavailableException;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Checks that the worker keeps the blocks of its top tier in the one folder that the settings name,
 * and that they can be read there. Not thread-safe.
 *
 * <p>A worker with a lower tier puts new blocks there while its top tier is nearly full. In any
 * other case a block in another folder shows that the settings are wrong, or that the top tier has
 * several directories: its blocks could be neither measured nor protected.
 */
final class FolderCheck {

  private static final Logger LOG = LogManager.getLogger(FolderCheck.class);

  private final Settings settings;
  private final TierDirectory directory;

  /** Where else the worker keeps blocks of the tier; null as long as that is not certain. */
  private Path elsewhere;

  /** Whether a block was elsewhere at the last look, too. */
  private boolean suspected;

  /** The connection for which it is known that the top tier was full. */
  private WorkerConnection full;

  FolderCheck(Settings settings, TierDirectory directory) {
    this.settings = settings;
    this.directory = directory;
  }

  /** Call it when the worker is away: it may come back with another configuration. */
  void reset() {
    elsewhere = null;
  }

  /**
   * Checks a new connection.
   *
   * @param capacityBytes the tier's capacity
   * @throws StoreUnavailableException naming folders and settings; caused by a {@link
   *     FileSystemException} if nothing but a change of them helps
   */
  void require(WorkerConnection worker, long capacityBytes) throws StoreUnavailableException {
    suspected = false;
    Path misplaced = worker.takeMisplaced();
    if (misplaced != null && !isFull(worker, capacityBytes, misplaced)) {
      elsewhere = misplaced;
    }
    if (elsewhere != null) {
      throw wrong(settings.folder().misplaced(elsewhere));
    }
    try {
      directory.check();
    } catch (IOException e) {
      throw wrong(settings.folder().unreadable(FolderListing.reason(e)));
    }
    if (!worker.isShown()) {
      throw wrong(settings.folder().unreadable(WorkerFolder.HIDDEN));
    }
  }

  /**
   * Looks again, at a connection that lasts. A block may have been put elsewhere just before the
   * tier had space, so only the second one in a row counts.
   *
   * @param capacityBytes the capacity in force
   * @throws StoreUnavailableException as {@link #require}
   */
  void recheck(WorkerConnection worker, long capacityBytes) throws StoreUnavailableException {
    Path misplaced = worker.takeMisplaced();
    boolean isElsewhere =
        misplaced != null
            && capacityBytes - directory.usedBytes() > AlluxioClient.passOverBytes()
            && !isFull(worker, capacityBytes, misplaced);
    if (isElsewhere && suspected) {
      elsewhere = misplaced;
      throw wrong(settings.folder().misplaced(elsewhere));
    }
    suspected = isElsewhere;
  }

  /** Whether the top tier is so full that a block may be put into a lower one; says so once. */
  private boolean isFull(WorkerConnection worker, long capacityBytes, Path misplaced)
      throws StoreUnavailableException {
    if (worker == full) {
      return true;
    }
    WorkerInfo info;
    try {
      info = AlluxioClient.workerInfo(settings.worker(), settings.node());
    } catch (IOException e) {
      throw new StoreUnavailableException(
          "the worker put a block into %s, and whether its top tier is full is unknown: %s"
              .formatted(misplaced, e.getMessage()),
          e);
    }
    long freeBytes =
        Math.min(
            capacityBytes - directory.usedBytes(),
            AlluxioClient.freeBytes(info, settings.tierAlias()));
    if (info.getCapacityBytesOnTiers().size() == 1 || freeBytes > AlluxioClient.passOverBytes()) {
      return false;
    }
    full = worker;
    LOG.warn(
        "the top tier is full, so the worker puts new blocks into {}: until it has free space it"
            + " cannot be made smaller, unless alluxio.worker.reviewer.class is"
            + " alluxio.worker.block.reviewer.AcceptingReviewer",
        misplaced);
    return true;
  }

  private static StoreUnavailableException wrong(String message) {
    return new StoreUnavailableException(message, new FileSystemException(message));
  }
}
