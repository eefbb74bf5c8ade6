package io.dynims.core.node;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/** The size of this machine's pages: 4 KiB on x86-64; 4, 16 or 64 KiB on others. */
final class PageSize {

  /** The key of the page size in what the kernel hands to a program, {@code AT_PAGESZ}. */
  private static final long KEY = 6;

  private static final long SMALLEST_BYTES = 4096;

  private PageSize() {}

  /**
   * Reads the size.
   *
   * @param auxv {@code /proc/self/auxv}: pairs of a key and a value, both of 64 bits
   * @return bytes; the smallest that Linux has if the file does not tell
   */
  static long bytes(Path auxv) {
    try {
      ByteBuffer pairs = ByteBuffer.wrap(Files.readAllBytes(auxv)).order(ByteOrder.nativeOrder());
      while (pairs.remaining() >= 2 * Long.BYTES) {
        long key = pairs.getLong();
        long value = pairs.getLong();
        if (key == KEY && value >= SMALLEST_BYTES) {
          return value;
        }
      }
    } catch (IOException e) {
      // As below.
    }
    return SMALLEST_BYTES;
  }
}
