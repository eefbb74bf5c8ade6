package io.dynims.experiments.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The number of the device that a file is on, as names in {@code /sys} have it. */
public final class DeviceNumber {

  private static final int MAJOR_SHIFT = 8;
  private static final long MAJOR = 0xfff;
  private static final long MINOR_LOW = 0xff;
  private static final int MINOR_HIGH_SHIFT = 12;

  private DeviceNumber() {}

  /**
   * The device of a file or folder, such as {@code 8:1}; {@code 0:45} of a file system without a
   * disk.
   */
  public static String of(Path path) throws IOException {
    return text(((Number) Files.getAttribute(path, "unix:dev")).longValue());
  }

  /** Unpacks {@code st_dev}, in which the high bits of the minor number come after the major. */
  static String text(long packed) {
    long major = packed >> MAJOR_SHIFT & MAJOR;
    long minor = (packed & MINOR_LOW) | (packed >> MINOR_HIGH_SHIFT & ~MINOR_LOW);
    return major + ":" + minor;
  }
}
