package io.dynims.tier;

/** The request is for another node. */
public final class MisdirectedException extends Exception {

  private static final long serialVersionUID = 1L;

  private final String field;

  /**
   * The error.
   *
   * @param field the field that names the other node
   * @param what what is of that node
   */
  MisdirectedException(String field, String what, String asked, String own) {
    super(field + ": " + what + " is of node '" + asked + "', but this is node '" + own + "'");
    this.field = field;
  }

  String field() {
    return field;
  }
}
