package io.dynims.controller.api;

/** An error response that tells the client what is wrong, and where. */
final class ApiException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private final int status;
  private final String title;
  private final String field;

  private ApiException(int status, String title, String detail, String field) {
    super(detail, null, false, false);
    this.status = status;
    this.title = title;
    this.field = field;
  }

  static ApiException badQuery(String parameter, String detail) {
    return new ApiException(400, "Invalid query", parameter + ": " + detail, parameter);
  }

  static ApiException invalid(String field, String detail) {
    return new ApiException(400, "Invalid request", detail, field);
  }

  static ApiException unauthorized(String detail) {
    return new ApiException(401, "Unauthorized", detail, null);
  }

  static ApiException forbidden(String detail) {
    return new ApiException(403, "Forbidden", detail, null);
  }

  static ApiException unsupported(String detail) {
    return new ApiException(415, "Unsupported media type", detail, null);
  }

  /** What an adapter does not take. */
  static ApiException refused(int status, String detail, String field) {
    return new ApiException(status, "Refused by the adapter", detail, field);
  }

  static ApiException notFound(String detail, String field) {
    return new ApiException(404, "Not found", detail, field);
  }

  static ApiException unavailable(String title, String detail) {
    return new ApiException(503, title, detail, null);
  }

  int status() {
    return status;
  }

  String title() {
    return title;
  }

  /** The invalid parameter, or null. */
  String field() {
    return field;
  }
}
