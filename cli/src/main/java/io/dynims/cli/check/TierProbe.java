package io.dynims.cli.check;

import static io.dynims.cli.check.CheckFailedException.require;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.tier.TierApi;
import io.dynims.tier.TierRequest;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/** Sends requests to one adapter as a controller would, and worse ones. Thread-safe. */
final class TierProbe {

  /** Long enough for a check on a slow machine; the longest that the API takes. */
  static final long LEASE_MILLIS = TierRequest.MAX_LEASE_MILLIS;

  /** How close a capacity has to come where a check is about something else. */
  private static final long NEAR_BYTES = 1 << 20;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final CheckOptions options;
  private final CheckPace pace;
  private final HttpClient http;
  private final AtomicLong lastSampleMillis = new AtomicLong();
  private volatile boolean ended;

  /** An answer, with a body of any kind. */
  record Answer(int status, HttpHeaders headers, byte[] body) {

    JsonNode json() throws CheckFailedException {
      try {
        return JSON.readTree(body);
      } catch (IOException e) {
        throw new CheckFailedException("HTTP " + status + " has a body that is not JSON");
      }
    }

    String header(String name) {
      return headers.firstValue(name).orElse("");
    }

    /** Whether the request was applied, in full or in part. */
    boolean isApplied() {
      return status == 200 || status == 202;
    }

    /** The status, and what a problem document says. */
    String text() {
      String start = new String(body, 0, Math.min(body.length, 200), UTF_8);
      return "HTTP " + status + (isApplied() ? "" : " " + start.replaceAll("\\s+", " "));
    }
  }

  TierProbe(CheckOptions options, CheckPace pace) {
    this.options = options;
    this.pace = pace;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(options.answerTimeout());
    options.tls().ifPresent(builder::sslContext);
    this.http = builder.build();
  }

  /** Whether the capacity is being put back, or has been. */
  boolean hasEnded() {
    return ended;
  }

  CheckOptions options() {
    return options;
  }

  CheckPace pace() {
    return pace;
  }

  /** Until when a condition that is awaited from now on has to hold. */
  long deadlineNanos() {
    return pace.nanos() + options.timeout().toNanos();
  }

  boolean isBefore(long deadlineNanos) {
    return pace.nanos() - deadlineNanos < 0;
  }

  /** A sample time that is newer than all before, and as close to now as possible. */
  long nextSampleMillis() {
    return lastSampleMillis.updateAndGet(last -> Math.max(last + 1, System.currentTimeMillis()));
  }

  Answer get(String path) throws IOException, InterruptedException {
    return send("GET", path, new byte[0], options.token());
  }

  Answer put(byte[] body) throws IOException, InterruptedException {
    return send("PUT", TierApi.PATH, body, options.token());
  }

  Answer put(String body) throws IOException, InterruptedException {
    return put(body.getBytes(UTF_8));
  }

  Answer put(long desiredBytes, long sampledMillis, long leaseMillis)
      throws IOException, InterruptedException {
    return put(TierApi.REQUEST.encode(new TierRequest(desiredBytes, sampledMillis, leaseMillis)));
  }

  /** Asks for a capacity with the newest sample. */
  Answer put(long desiredBytes) throws IOException, InterruptedException {
    return put(desiredBytes, nextSampleMillis(), LEASE_MILLIS);
  }

  /** Sends any request. */
  Answer send(String method, String path, byte[] body, Optional<String> token)
      throws IOException, InterruptedException {
    if (ended) {
      throw new InterruptedIOException("the check was ended");
    }
    return request(method, path, body, token);
  }

  private Answer request(String method, String path, byte[] body, Optional<String> token)
      throws IOException, InterruptedException {
    URI uri = options.adapter().resolve(path);
    HttpRequest.Builder request =
        HttpRequest.newBuilder(uri)
            .timeout(options.answerTimeout())
            .method(
                method,
                body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body));
    if (body.length > 0) {
      request.header("Content-Type", "application/json");
    }
    token.ifPresent(text -> request.header("Authorization", TokenFile.authorization(text)));
    HttpResponse<byte[]> response =
        http.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
    return new Answer(response.statusCode(), response.headers(), response.body());
  }

  /** What the adapter tells now. */
  TierReading read() throws CheckFailedException, IOException, InterruptedException {
    Answer answer = get(TierApi.PATH);
    require(answer.status() == 200, "GET %s: %s".formatted(TierApi.PATH, answer.text()));
    return TierReading.of(answer.json());
  }

  /** Asks for a capacity until it is about in force, or as far as it can be. */
  TierReading settle(long bytes) throws CheckFailedException, IOException, InterruptedException {
    return settle(bytes, "a capacity of " + bytes + " bytes", now -> true);
  }

  /**
   * Asks for a capacity, as a controller would, until it is about in force and a condition holds.
   */
  TierReading settle(long bytes, String what, Predicate<TierReading> condition)
      throws CheckFailedException, IOException, InterruptedException {
    return await(
        what,
        () -> {
          Answer answer = put(bytes);
          require(answer.isApplied(), "a request for %d bytes: %s".formatted(bytes, answer.text()));
          return read();
        },
        now -> isNear(now, bytes) && condition.test(now));
  }

  /**
   * Asks for a capacity, as a controller would, until an expected one is told, or time is up.
   *
   * @return the last answer, whatever it is
   */
  Answer putUntil(long bytes, long capacityBytes)
      throws CheckFailedException, IOException, InterruptedException {
    long deadlineNanos = deadlineNanos();
    Answer answer = put(bytes);
    while (answer.isApplied()
        && TierReading.of(answer.json()).capacityBytes() != capacityBytes
        && isBefore(deadlineNanos)) {
      pace.pause();
      answer = put(bytes);
    }
    return answer;
  }

  private static boolean isNear(TierReading now, long bytes) {
    return Math.abs(now.capacityBytes() - bytes) <= NEAR_BYTES
        || (now.capacityBytes() > bytes && now.unevictableBytes() > 0);
  }

  /**
   * Awaits what the adapter is to tell.
   *
   * @throws CheckFailedException if it does not within the timeout; the message has what it told
   */
  TierReading await(String what, Predicate<TierReading> condition)
      throws CheckFailedException, IOException, InterruptedException {
    return await(what, this::read, condition);
  }

  /** Reads what an adapter tells. */
  private interface Reader {
    TierReading read() throws CheckFailedException, IOException, InterruptedException;
  }

  private TierReading await(String what, Reader reader, Predicate<TierReading> condition)
      throws CheckFailedException, IOException, InterruptedException {
    long deadlineNanos = deadlineNanos();
    TierReading now = reader.read();
    while (!condition.test(now)) {
      require(
          isBefore(deadlineNanos),
          "not within %d s: %s; the last answer: %s"
              .formatted(options.timeout().toSeconds(), what, now));
      pace.pause();
      now = reader.read();
    }
    return now;
  }

  /**
   * Puts a capacity back and lets no other request through. Its short lease keeps a request that is
   * still under way from being applied afterwards.
   *
   * @return the answer to the last request
   */
  Answer restore(long bytes) throws IOException, InterruptedException {
    ended = true;
    var request = new TierRequest(bytes, nextSampleMillis(), 1_000);
    long deadlineNanos = deadlineNanos();
    Answer answer = restore(request);
    while (answer.status() != 200 && isBefore(deadlineNanos)) {
      pace.pause();
      answer = restore(request);
    }
    return answer;
  }

  private Answer restore(TierRequest request) throws IOException, InterruptedException {
    byte[] body = TierApi.REQUEST.encode(request);
    return request("PUT", TierApi.PATH, body, options.token());
  }
}
