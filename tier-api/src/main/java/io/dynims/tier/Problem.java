package io.dynims.tier;

import io.dynims.core.wire.OptionalField;

/**
 * An error answer, RFC 9457.
 *
 * @param title the kind of problem
 * @param status the HTTP status
 * @param detail what is wrong in this case
 * @param field the invalid field; null if the problem is not one of a field
 */
public record Problem(
    String title, int status, @OptionalField String detail, @OptionalField String field) {}
