package io.dynims.policy;

/**
 * Why a document, or a field of it, is refused.
 *
 * @param file the source that holds the document
 * @param document its position in the source from 1, with its name if known, such as {@code 2
 *     (alluxio)}; empty when the source as a whole is at fault
 * @param field the path of the field, such as {@code spec.law.gain}; empty when none is at fault
 * @param reason what is wrong, with the value
 */
public record PolicyError(String file, String document, String field, String reason) {

  @Override
  public String toString() {
    return file
        + (document.isEmpty() ? "" : ", document " + document)
        + (field.isEmpty() ? "" : ", " + field)
        + ": "
        + reason;
  }
}
