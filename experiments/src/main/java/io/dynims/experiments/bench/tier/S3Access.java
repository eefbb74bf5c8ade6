package io.dynims.experiments.bench.tier;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;

/**
 * Objects of an S3 service: parts of one are read by ranges. As an object is written as a whole,
 * each write makes an object of its own, with the offset behind the name.
 */
final class S3Access implements Access {

  /** Alluxio's proxy takes the user's name from it, as it trusts its callers. */
  private static final String CREDENTIAL =
      "AWS4-HMAC-SHA256 Credential="
          + System.getProperty("user.name")
          + "/20260101/us-east-1/s3/aws4_request";

  private static final int OK = 200;
  private static final int PARTIAL = 206;

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final String address;

  /**
   * A service.
   *
   * @param authority its host and port
   */
  S3Access(String authority) {
    this.address = "http://" + authority + "/api/v1/s3/";
  }

  @Override
  public OpenFile open(String file, boolean write) {
    return new Remote(file);
  }

  private HttpRequest.Builder request(String file) {
    return HttpRequest.newBuilder(URI.create(address + file)).header("Authorization", CREDENTIAL);
  }

  private <T> HttpResponse<T> send(HttpRequest request, HttpResponse.BodyHandler<T> handler)
      throws IOException {
    try {
      return http.send(request, handler);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException(request.uri().toString());
    }
  }

  private final class Remote implements OpenFile {

    private final String file;

    Remote(String file) {
      this.file = file;
    }

    @Override
    public void read(long offset, ByteBuffer buffer) throws IOException {
      int length = buffer.capacity();
      HttpRequest request =
          request(file).header("Range", "bytes=" + offset + "-" + (offset + length - 1)).build();
      HttpResponse<InputStream> response = send(request, BodyHandlers.ofInputStream());
      try (InputStream body = response.body()) {
        int count = body.readNBytes(buffer.array(), buffer.arrayOffset(), length);
        if (response.statusCode() != PARTIAL || count != length || body.read() >= 0) {
          throw new IOException(
              "status " + response.statusCode() + " with " + count + " bytes or more for " + file);
        }
      }
    }

    @Override
    public void write(long offset, ByteBuffer buffer) throws IOException {
      HttpRequest request =
          request(file + "-" + offset)
              .PUT(
                  HttpRequest.BodyPublishers.ofByteArray(
                      buffer.array(), buffer.arrayOffset(), buffer.capacity()))
              .build();
      HttpResponse<String> response = send(request, BodyHandlers.ofString());
      if (response.statusCode() != OK) {
        throw new IOException("status " + response.statusCode() + ": " + response.body());
      }
    }

    @Override
    public void close() {}
  }
}
