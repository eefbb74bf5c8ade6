package io.dynims.simulation;

/** A random number for a seed and a place, whatever was drawn before. */
public final class Hash {

  private static final double TWO_TO_53 = 0x1p53;

  private Hash() {}

  /** The finalizer of splitmix64, twice. */
  public static long of(long seed, long place) {
    return mixed(mixed(seed) + place * 0x9E3779B97F4A7C15L);
  }

  /** A number from 0 to 1, 1 excluded. */
  public static double unit(long seed, long place) {
    return (of(seed, place) >>> 11) / TWO_TO_53;
  }

  private static long mixed(long value) {
    long z = value + 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    return z ^ (z >>> 31);
  }
}
