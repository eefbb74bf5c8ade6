package io.dynims.experiments.demo;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;

/**
 * Memory outside the heap that is freed explicitly; a direct buffer would wait for the garbage
 * collector.
 */
public final class NativeMemory {

  private final MethodHandle allocate;
  private final MethodHandle set;
  private final MethodHandle free;

  /** Looks up the methods. */
  public NativeMemory() {
    try {
      Class<?> type = Class.forName("sun.misc.Unsafe");
      Field instance = type.getDeclaredField("theUnsafe");
      instance.setAccessible(true);
      Object unsafe = instance.get(null);
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      allocate = bind(lookup, unsafe, "allocateMemory", long.class, long.class);
      set = bind(lookup, unsafe, "setMemory", void.class, long.class, long.class, byte.class);
      free = bind(lookup, unsafe, "freeMemory", void.class, long.class);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static MethodHandle bind(
      MethodHandles.Lookup lookup, Object unsafe, String name, Class<?> result, Class<?>... types)
      throws ReflectiveOperationException {
    return lookup.bind(unsafe, name, MethodType.methodType(result, types));
  }

  /** Allocates memory; its pages are not resident yet. */
  public long allocate(long bytes) {
    try {
      return (long) allocate.invokeExact(bytes);
    } catch (Throwable e) {
      throw new IllegalStateException("no memory", e);
    }
  }

  /** Makes the pages resident by writing to them. */
  public void touch(long address, long bytes) {
    try {
      set.invokeExact(address, bytes, (byte) 1);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }

  /** Frees memory. */
  public void free(long address) {
    try {
      free.invokeExact(address);
    } catch (Throwable e) {
      throw new IllegalStateException(e);
    }
  }
}
