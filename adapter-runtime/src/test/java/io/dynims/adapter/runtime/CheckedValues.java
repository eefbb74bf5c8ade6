package io.dynims.adapter.runtime;

import java.util.Arrays;
import java.util.SplittableRandom;

/** A client that writes values of 64 KiB whose bytes follow from their key, and checks them. */
public abstract class CheckedValues implements AutoCloseable {

  /** The size of a value. */
  public static final int VALUE_BYTES = 64 << 10;

  /** Writes a value. */
  protected abstract void set(String key, byte[] value) throws Exception;

  /** Reads a value; null if it is not there. */
  protected abstract byte[] get(String key) throws Exception;

  /** Writes so many bytes of values, from key 0 on. */
  public final void write(long bytes) throws Exception {
    for (int key = 0; key < bytes / VALUE_BYTES; key++) {
      write(key);
    }
  }

  /** Writes the value of a key. */
  final void write(int key) throws Exception {
    set("k" + key, value(key));
  }

  /**
   * Reads a value, which may not be there, but must not be wrong.
   *
   * @return whether it is there
   */
  public final boolean read(int key) throws Exception {
    byte[] value = get("k" + key);
    if (value != null && !Arrays.equals(value, value(key))) {
      throw new AssertionError("key " + key + " has a wrong value");
    }
    return value != null;
  }

  private static byte[] value(int key) {
    byte[] value = new byte[VALUE_BYTES];
    new SplittableRandom(key).nextBytes(value);
    return value;
  }
}
