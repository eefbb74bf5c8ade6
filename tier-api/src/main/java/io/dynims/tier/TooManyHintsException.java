package io.dynims.tier;

import io.dynims.core.wire.Hint;

/** The node has as many hints as it keeps. */
public final class TooManyHintsException extends Exception {

  private static final long serialVersionUID = 1L;

  TooManyHintsException() {
    super("the node has " + Hint.MAX_HINTS + " hints already; withdraw one first");
  }
}
