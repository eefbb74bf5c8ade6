package io.dynims.experiments.bench.tier;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The bytes of every file of the study: each word is determined by its offset alone. */
final class Content {

  private static final VarHandle WORDS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final int SAMPLE_BYTES = 512;

  private Content() {}

  /** Fills a whole buffer with what a file has from an offset on; both are multiples of 8. */
  static void fill(ByteBuffer buffer, long offset) {
    for (int i = 0; i < buffer.capacity(); i += Long.BYTES) {
      WORDS.set(buffer, i, word(offset + i));
    }
  }

  /** Whether a whole buffer has what a file has from an offset on. */
  static boolean matches(ByteBuffer buffer, long offset) {
    for (int i = 0; i < buffer.capacity(); i += Long.BYTES) {
      if ((long) WORDS.get(buffer, i) != word(offset + i)) {
        return false;
      }
    }
    return true;
  }

  /** The same for the first word of each 512 bytes and the last word. */
  static boolean matchesInSamples(ByteBuffer buffer, long offset) {
    for (int i = 0; i < buffer.capacity(); i += SAMPLE_BYTES) {
      if ((long) WORDS.get(buffer, i) != word(offset + i)) {
        return false;
      }
    }
    int last = buffer.capacity() - Long.BYTES;
    return (long) WORDS.get(buffer, last) == word(offset + last);
  }

  /** SplitMix64's output function. */
  private static long word(long offset) {
    long mixed = offset * 0x9e3779b97f4a7c15L;
    mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
    return mixed ^ mixed >>> 31;
  }
}
