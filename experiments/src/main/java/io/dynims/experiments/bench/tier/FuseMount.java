package io.dynims.experiments.bench.tier;

import io.dynims.cli.stack.Text;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How Alluxio's FUSE mount is made.
 *
 * @param options of the mount, separated by commas
 * @param readAheadBytes how much the kernel requests ahead of a reader in sequence; 0 for the
 *     kernel's default, 128 KiB
 */
public record FuseMount(String options, int readAheadBytes) {

  /** The kernel asks the mount for a file's attributes and name once, as files do not change. */
  public static final String USUAL_OPTIONS = "attr_timeout=600,entry_timeout=600";

  /** The mount of a study that does not choose another. */
  public static final FuseMount USUAL = new FuseMount(USUAL_OPTIONS, 0);

  private static final int LOW_MINOR_BITS = 8;
  private static final int HIGH_MINOR_SHIFT = 12;

  /** Whether a study that does not choose has the same. */
  public boolean isUsual() {
    return equals(USUAL);
  }

  /** As a part of a file's name; different for each mount. */
  String fileName() {
    return options.replaceAll("[^A-Za-z0-9=_]", "_") + "-ahead" + (readAheadBytes >> 10) + "Ki";
  }

  /** In a sentence. */
  String label() {
    return readAheadBytes == 0
        ? options
        : options + " and a read-ahead of " + Text.bytes(readAheadBytes);
  }

  /**
   * Tells the kernel how far to read ahead on a mount; needs root.
   *
   * @throws IOException if it does not take it
   */
  void setReadAhead(Path mount) throws IOException {
    if (readAheadBytes > 0) {
      Files.writeString(
          Path.of("/sys/class/bdi", device((long) Files.getAttribute(mount, "unix:dev")))
              .resolve("read_ahead_kb"),
          Integer.toString(readAheadBytes >> 10));
    }
  }

  /** The name of a mount without a disk, {@code 0:minor}, as the kernel packs it in stat. */
  static String device(long dev) {
    long low = dev & ((1 << LOW_MINOR_BITS) - 1);
    long high = dev >> HIGH_MINOR_SHIFT & ~((1L << LOW_MINOR_BITS) - 1);
    return "0:" + (high | low);
  }
}
