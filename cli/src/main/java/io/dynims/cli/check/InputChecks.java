package io.dynims.cli.check;

import static io.dynims.cli.check.CheckFailedException.require;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.cli.check.TierProbe.Answer;
import java.io.IOException;
import java.util.List;
import java.util.Map;

/** Invalid requests: each is refused, and changes nothing. */
final class InputChecks {

  private static final int MOST_BODY_BYTES = 16 << 10;

  private final TierProbe probe;

  InputChecks(TierProbe probe) {
    this.probe = probe;
  }

  void addTo(Map<String, TierCheck.Check> checks) {
    checks.put("broken-json", this::brokenJson);
    checks.put("wrong-types", this::wrongTypes);
    checks.put("missing-fields", this::missingFields);
    checks.put("out-of-range", this::outOfRange);
    checks.put("longest-lease", this::longestLease);
    checks.put("large-body", this::largeBody);
    checks.put("problem-document", this::problemDocument);
  }

  private String brokenJson() throws CheckFailedException, IOException, InterruptedException {
    return refused(
        400, List.of("not json", request("7", "1", "1").replace("}", ""), "[]", "null", ""));
  }

  private String wrongTypes() throws CheckFailedException, IOException, InterruptedException {
    String bytes = Long.toString(otherBytes());
    String now = Long.toString(probe.nextSampleMillis());
    return refused(
        400,
        List.of(
            request("\"" + bytes + "\"", now, "60000"),
            request(bytes + ".5", now, "60000"),
            request("99999999999999999999", now, "60000"),
            request("true", now, "60000"),
            request(bytes, "\"now\"", "60000"),
            request(bytes, now, "[60000]")));
  }

  private String missingFields() throws CheckFailedException, IOException, InterruptedException {
    String all = request(Long.toString(otherBytes()), "" + probe.nextSampleMillis(), "60000");
    return refused(
        400,
        List.of(
            "{}",
            all.replace("desiredBytes", "x"),
            all.replace("sampledMillis", "x"),
            all.replace("leaseMillis", "x"),
            all.replaceFirst(":[0-9]+", ":null")));
  }

  private String outOfRange() throws CheckFailedException, IOException, InterruptedException {
    String bytes = Long.toString(otherBytes());
    String now = Long.toString(probe.nextSampleMillis());
    return refused(
        400,
        List.of(
            request("-1", now, "60000"),
            request(bytes, "-1", "60000"),
            request(bytes, now, "0"),
            request(bytes, now, "-1")));
  }

  private String longestLease() throws CheckFailedException, IOException, InterruptedException {
    String bytes = Long.toString(otherBytes());
    String now = Long.toString(probe.nextSampleMillis());
    String seen =
        refused(400, List.of(request(bytes, now, "60001"), request(bytes, now, "3600000")));
    Answer longest = probe.put(probe.read().maxBytes());
    require(longest.isApplied(), "a lease of 60,000 ms: %s".formatted(longest.text()));
    return seen + "; a lease of 60,000 ms is applied";
  }

  /** A valid request but for its length. */
  private String largeBody() throws CheckFailedException, IOException, InterruptedException {
    String valid =
        request(Long.toString(otherBytes()), Long.toString(probe.nextSampleMillis()), "60000");
    return refused(413, List.of(valid + " ".repeat(MOST_BODY_BYTES + 1 - valid.length())));
  }

  private String problemDocument() throws CheckFailedException, IOException, InterruptedException {
    Answer answer = probe.put(request("-1", Long.toString(probe.nextSampleMillis()), "60000"));
    require(!answer.isApplied(), "a negative desiredBytes: %s".formatted(answer.text()));
    String type = answer.header("Content-Type");
    require(
        type.startsWith("application/problem+json"),
        "the Content-Type of HTTP %d is '%s', not application/problem+json"
            .formatted(answer.status(), type));
    JsonNode problem = answer.json();
    require(
        !problem.path("title").asText().isEmpty(),
        "title: is missing: %s".formatted(answer.text()));
    require(
        problem.path("status").asInt() == answer.status(),
        "status: %s in an answer with HTTP %d".formatted(problem.path("status"), answer.status()));
    require(
        problem.path("field").asText().equals("desiredBytes"),
        "field: %s is not desiredBytes, which was negative".formatted(problem.path("field")));
    return "'" + problem.path("detail").asText() + "'";
  }

  /** A capacity that is not in force. */
  private long otherBytes() throws CheckFailedException, IOException, InterruptedException {
    TierReading now = probe.settle(probe.read().maxBytes());
    return now.between(0.75);
  }

  private static String request(String desiredBytes, String sampledMillis, String leaseMillis) {
    return "{\"desiredBytes\":%s,\"sampledMillis\":%s,\"leaseMillis\":%s}"
        .formatted(desiredBytes, sampledMillis, leaseMillis);
  }

  private String refused(int status, List<String> bodies)
      throws CheckFailedException, IOException, InterruptedException {
    long before = probe.read().capacityBytes();
    for (String body : bodies) {
      String shown = body.length() > 100 ? body.length() + " bytes" : "'" + body + "'";
      Answer answer = probe.put(body);
      require(
          answer.status() == status,
          "%s: not HTTP %d but %s".formatted(shown, status, answer.text()));
      long after = probe.read().capacityBytes();
      require(
          after == before, "%s was refused, but the capacity is %d now".formatted(shown, after));
    }
    return "HTTP %d to %d request%s, and nothing changed"
        .formatted(status, bodies.size(), bodies.size() == 1 ? "" : "s");
  }
}
