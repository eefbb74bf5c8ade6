package io.dynims.tier;

/** Another controller has taken the tier over from the one that sent a request. */
public final class SupersededException extends Exception {

  private static final long serialVersionUID = 1L;

  SupersededException(long term, long currentTerm, String controller) {
    super("term: " + term + " is over, " + controller + " has the tier in term " + currentTerm);
  }
}
