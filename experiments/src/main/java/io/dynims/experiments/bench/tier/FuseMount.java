package io.dynims.experiments.bench.tier;

import io.dynims.cli.stack.Text;
import io.dynims.experiments.bench.DeviceNumber;
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

  private static final String ALLOWED = "[A-Za-z0-9_=.,:-]+";

  /**
   * Checks the options, which are also in names of files.
   *
   * @throws IllegalArgumentException if they have other characters than letters, digits and those
   *     of {@code _=.,:-}
   */
  public FuseMount {
    if (!options.matches(ALLOWED)) {
      throw new IllegalArgumentException(
          options + " has other characters than letters, digits and _=.,:-");
    }
  }

  /** Whether it is that of a study that does not choose another. */
  public boolean isUsual() {
    return equals(USUAL);
  }

  /** As a part of a file's name; different for each mount. */
  public String fileName() {
    return options.replace(',', '+') + "-ahead" + (readAheadBytes >> 10) + "Ki";
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
          Path.of("/sys/class/bdi", DeviceNumber.of(mount), "read_ahead_kb"),
          Integer.toString(readAheadBytes >> 10));
    }
  }
}
