package io.dynims.core.testing;

import org.opentest4j.TestAbortedException;

/** The seeds of random tests: other ones each time, unless {@code -Ddynims.seed} names one. */
public final class Seeds {

  static final String PROPERTY = "dynims.seed";

  /** A random test. */
  public interface Body {
    void run(long seed) throws Exception;
  }

  private Seeds() {}

  /** Runs a test; its failure says how to repeat it. */
  public static void run(Body test) {
    long seed = Long.getLong(PROPERTY, System.nanoTime());
    try {
      test.run(seed);
    } catch (TestAbortedException e) {
      throw e;
    } catch (Exception | AssertionError e) {
      throw new AssertionError("with -D" + PROPERTY + "=" + seed + ": " + e.getMessage(), e);
    }
  }
}
