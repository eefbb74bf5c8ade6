package io.dynims.cli.check;

import static io.dynims.cli.check.FakeStore.FILLED_BYTES;
import static io.dynims.cli.check.FakeStore.MAX_BYTES;
import static io.dynims.cli.check.FakeStore.MIN_BYTES;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dynims.cli.CommandRuns;
import io.dynims.cli.check.FakeAdapter.Answer;
import io.dynims.cli.check.FakeAdapter.Fault;
import io.dynims.local.FreePorts;
import io.dynims.local.LocalAuthority;
import io.dynims.runtime.tls.TlsFiles;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.TierAccess;
import io.dynims.tier.TierServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Every check fails for the fault that it is there for, and for no other. */
class TierCheckTest {

  private static final long MINUTE_MILLIS = 60_000;

  /** The default of --fill-bytes. */
  private static final long FILL_BYTES = 64L << 20;

  private static final Fault NONE = (request, adapter) -> adapter.real(request);

  /** Where a check waits for what never comes. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  private static final Duration LONG = Duration.ofSeconds(60);

  private final ObjectMapper json = new ObjectMapper();
  private final CommandRuns runs = new CommandRuns();
  @TempDir private Path folder;

  /** A fault, the check that finds it, and the reason that this one gives. */
  private record Case(String check, String reason, Duration timeout, String command, Fault fault) {

    Case(String check, String reason, Fault fault) {
      this(check, reason, LONG, "", fault);
    }

    Case waiting() {
      return new Case(check, reason, SHORT, command, fault);
    }

    Case with(String newCommand) {
      return new Case(check, reason, timeout, newCommand, fault);
    }

    @Override
    public String toString() {
      return check + ": " + reason;
    }
  }

  static List<Case> cases() {
    List<Case> all = new ArrayList<>();
    all.addAll(statusCases());
    all.addAll(memoryCases());
    all.addAll(resizeCases());
    all.addAll(inputCases());
    all.addAll(accessCases());
    all.addAll(orderCases());
    all.addAll(restartCases());
    return all;
  }

  private static List<Case> statusCases() {
    AtomicBoolean asked = new AtomicBoolean();
    return List.of(
        new Case("fields", "storeVersion is missing", told(t -> t.remove("storeVersion"))),
        new Case(
            "fields",
            "usedBytes: .*[.]5 is not an integer",
            told(t -> t.put("usedBytes", t.get("usedBytes").asLong() + 0.5))),
        new Case("fields", "tier: 7 is not a text", told(t -> t.put("tier", 7))),
        new Case("bounds", "hitRatio: 93 is above 1", told(t -> t.put("hitRatio", 93))),
        new Case("bounds", "reservedBytes: -1 is below 0", told(t -> t.put("reservedBytes", -1))),
        new Case(
                "used-within-capacity",
                "not within 1 s: usedBytes at most capacityBytes",
                (request, adapter) -> {
                  asked.compareAndSet(false, request.isPut());
                  return asked.get()
                      ? adapter.real(request)
                      : adapter.real(request).edited(t -> t.put("usedBytes", 2 * MAX_BYTES));
                })
            .waiting());
  }

  private static List<Case> memoryCases() {
    return List.of(
        new Case(
                "used-counts-data",
                "usedBytes at least 3/4 of the 67108864 bytes",
                told(t -> t.put("usedBytes", 0)))
            .waiting()
            .with("fill"),
        new Case(
                "used-counts-data",
                "usedBytes at least 3/4 of the 67108864 bytes",
                told(t -> t.put("usedBytes", t.get("usedBytes").asLong() >> 10)))
            .waiting()
            .with("fill"),
        new Case(
                "used-counts-data",
                "67108864 bytes were written, but usedBytes rose by",
                told(
                    t -> {
                      t.remove("residentBytes");
                      if (t.get("usedBytes").asLong() == FILL_BYTES + MIN_BYTES) {
                        t.put("usedBytes", 2 * FILL_BYTES + MIN_BYTES);
                      }
                    }))
            .with("fill"),
        new Case(
                "used-follows-shrink",
                "not within 1 s: usedBytes at most capacityBytes",
                told(t -> t.put("usedBytes", FILLED_BYTES)))
            .waiting(),
        new Case(
            "used-follows-shrink",
            "usedBytes was %d and is %d after a shrink".formatted(FILLED_BYTES, FILLED_BYTES),
            told(
                t -> {
                  long more = Math.max(0, FILLED_BYTES - t.get("capacityBytes").asLong());
                  t.put("usedBytes", FILLED_BYTES).put("unevictableBytes", more);
                })),
        new Case(
                "resident-follows-shrink",
                "residentBytes at most .* before the shrink",
                told(t -> t.put("residentBytes", FILLED_BYTES + 1)))
            .waiting(),
        new Case(
            "used-stays-after-growth",
            "without a write: the data was never evicted",
            told(t -> t.put("usedBytes", Math.min(FILLED_BYTES, t.get("capacityBytes").asLong())))),
        new Case(
                "used-against-resident",
                "usedBytes or less residentBytes at the least capacity",
                told(t -> t.put("usedBytes", 0).put("residentBytes", FILLED_BYTES)))
            .waiting());
  }

  private static List<Case> resizeCases() {
    AtomicReference<String> last = new AtomicReference<>("");
    return List.of(
        new Case(
                "capacity-is-exact",
                "bytes were asked for, and capacityBytes is",
                told(
                    t -> {
                      long bytes = t.get("capacityBytes").asLong() >> 12 << 12;
                      t.put("capacityBytes", bytes);
                      t.put("usedBytes", Math.min(bytes, t.get("usedBytes").asLong()));
                    }))
            .waiting(),
        new Case(
            "capacity-is-exact",
            "and sampledMillis is",
            told(t -> t.put("sampledMillis", t.path("sampledMillis").asLong() / 1_000))),
        new Case(
            "repeated-request",
            "a second time, with the same sample: HTTP 409",
            (request, adapter) ->
                request.isPut() && last.getAndSet(request.text()).equals(request.text())
                    ? Answer.of(409)
                    : adapter.real(request)),
        new Case(
            "unknown-fields",
            "a field that does not exist yet: HTTP 400",
            (request, adapter) ->
                request.text().contains("aFieldOfTheFuture")
                    ? Answer.of(400)
                    : adapter.real(request)),
        new Case(
            "above-maximum",
            "bytes were asked for: HTTP 400",
            (request, adapter) ->
                request.field("desiredBytes") > MAX_BYTES ? Answer.of(400) : adapter.real(request)),
        new Case(
            "above-maximum",
            "not HTTP 202: HTTP 200",
            (request, adapter) -> {
              Answer answer = adapter.real(request);
              return answer.status() == 202 && request.field("desiredBytes") > MAX_BYTES
                  ? new Answer(200, answer.headers(), answer.body())
                  : answer;
            }),
        new Case(
                "below-minimum",
                "minBytes is 1048576, and capacityBytes is 1048575",
                (request, adapter) ->
                    adapter
                        .real(request)
                        .edited(
                            t -> {
                              if (request.field("desiredBytes") == MIN_BYTES - 1) {
                                t.put("capacityBytes", MIN_BYTES - 1);
                              }
                            }))
            .waiting());
  }

  private static List<Case> inputCases() {
    return List.of(
        accepted("broken-json", "'not json': not HTTP 400", text -> text.equals("not json")),
        accepted("broken-json", "'null': not HTTP 400", text -> text.equals("null")),
        new Case(
            "wrong-types",
            "not HTTP 400 but HTTP 200",
            (request, adapter) ->
                adapter.real(
                    request.withBody(
                        request.text().replaceFirst("Bytes\":\"([0-9]+)\"", "Bytes\":$1")))),
        accepted("missing-fields", "not HTTP 400 but HTTP 200", text -> text.contains("\"x\"")),
        new Case(
            "out-of-range",
            "\"leaseMillis\":0}': not HTTP 400 but HTTP 200",
            (request, adapter) ->
                adapter.real(
                    request.withBody(
                        request.text().replace("\"leaseMillis\":0}", "\"leaseMillis\":1}")))),
        new Case(
            "longest-lease",
            "\"leaseMillis\":60001}': not HTTP 400 but HTTP 20",
            (request, adapter) ->
                adapter.real(
                    request.withBody(
                        request
                            .text()
                            .replaceFirst("Millis\":(60001|3600000)}", "Millis\":60000}")))),
        new Case(
            "large-body",
            "16385 bytes: not HTTP 413 but HTTP 200",
            (request, adapter) -> adapter.real(request.withBody(request.text().strip()))),
        new Case(
            "problem-document",
            "the Content-Type of HTTP 400 is 'text/plain'",
            problem(
                (body, adapter) ->
                    new Answer(400, Map.of("Content-Type", "text/plain"), "bad request"))),
        new Case(
            "problem-document",
            "field: .* is not desiredBytes",
            problem(
                (answer, adapter) ->
                    new Answer(
                        400, answer.headers(), answer.body().replace("\"field\"", "\"f\"")))));
  }

  private static List<Case> accessCases() {
    return List.of(
        new Case(
            "unknown-path",
            "not HTTP 404 but HTTP 200",
            (request, adapter) ->
                request.path().contains("no-such") ? adapter.state() : adapter.real(request)),
        new Case(
            "other-methods",
            "POST /v1/tier: not HTTP 405 but HTTP 200",
            (request, adapter) ->
                request.method().equals("POST") ? adapter.state() : adapter.real(request)),
        new Case(
            "other-methods",
            "DELETE /v1/tier: the header Allow is ''",
            (request, adapter) ->
                request.method().equals("DELETE") ? Answer.of(405) : adapter.real(request)),
        new Case(
            "token",
            "PUT with no token: not HTTP 401 but HTTP 200",
            (request, adapter) -> adapter.real(request.withToken())),
        new Case(
            "token",
            "PUT with a wrong token: not HTTP 401 but HTTP 200",
            (request, adapter) ->
                adapter.real(request.authorization() == null ? request : request.withToken())),
        new Case(
            "foreign-host",
            "not HTTP 403 but 'HTTP/1.1 200 OK'",
            (request, adapter) -> adapter.real(request.withHost())));
  }

  private static List<Case> orderCases() {
    AtomicLong newestMillis = new AtomicLong();
    return List.of(
        new Case(
            "older-sample",
            "during its lease: not HTTP 409 but HTTP 200",
            (request, adapter) ->
                isOld(request) && request.field("leaseMillis") > 1
                    ? adapter.state()
                    : adapter.real(request)),
        new Case(
            "future-sample",
            "1 h ahead of the clock: not HTTP 400 but HTTP 200",
            (request, adapter) ->
                request.field("sampledMillis") > System.currentTimeMillis() + MINUTE_MILLIS
                        && request.field("desiredBytes") > 0
                    ? adapter.state()
                    : adapter.real(request)),
        new Case(
                "lease-ends",
                "leaseHeld false after a lease of 1 ms",
                (request, adapter) ->
                    adapter
                        .real(request)
                        .edited(
                            t -> {
                              if (t.has("leaseHeld")) {
                                t.put("leaseHeld", true);
                              }
                            }))
            .waiting(),
        new Case(
            "lease-ends",
            "after the last lease has ended: HTTP 409",
            (request, adapter) ->
                isOld(request) && request.field("leaseMillis") == 1
                    ? Answer.of(409)
                    : adapter.real(request)),
        new Case(
                "many-at-once",
                "not within 1 s: the capacity of the newest sample",
                (request, adapter) -> {
                  long sampledMillis = request.field("sampledMillis");
                  boolean isNow =
                      Math.abs(sampledMillis - System.currentTimeMillis()) < MINUTE_MILLIS;
                  long newest = newestMillis.accumulateAndGet(isNow ? sampledMillis : 0, Math::max);
                  return isNow
                      ? adapter.real(
                          request.withBody(request.text().replace("" + sampledMillis, "" + newest)))
                      : adapter.real(request);
                })
            .waiting(),
        new Case(
            "many-at-once",
            "one of 128 requests at once: HTTP 500",
            (request, adapter) -> {
              Answer answer = adapter.real(request);
              return answer.status() == 409 && !isOld(request) ? Answer.of(500) : answer;
            }));
  }

  private static List<Case> restartCases() {
    return List.of(
        new Case(
                "restart",
                "nobody asked for more",
                (request, adapter) ->
                    adapter
                        .real(request)
                        .edited(
                            t -> {
                              if (Files.exists(adapter.restarted())) {
                                t.put("capacityBytes", MAX_BYTES);
                              }
                            }))
            .with("restart"),
        new Case(
                "restart",
                "does not serve again within 1 s: HTTP 503",
                (request, adapter) ->
                    Files.exists(adapter.restarted()) && !request.isPut()
                        ? Answer.of(503)
                        : adapter.real(request))
            .waiting()
            .with("restart"),
        new Case("restart", "--restart-command ended with exit code 3", NONE).with("exit"),
        new Case(
                "capacity-is-put-back",
                "a request for 1073741824 bytes: HTTP 503",
                (request, adapter) ->
                    request.field("leaseMillis") == 1_000 ? Answer.of(503) : adapter.real(request))
            .waiting());
  }

  /** A fault in whatever the adapter tells of its tier. */
  private static Fault told(Consumer<ObjectNode> edit) {
    return (request, adapter) -> adapter.real(request).edited(edit);
  }

  /** A fault of the answers with HTTP 400. */
  private static Fault problem(BiFunction<Answer, FakeAdapter, Answer> edit) {
    return (request, adapter) -> {
      Answer answer = adapter.real(request);
      return answer.status() == 400 ? edit.apply(answer, adapter) : answer;
    };
  }

  /** A request that is answered as if it were valid. */
  private static Case accepted(String check, String reason, Predicate<String> body) {
    return new Case(
        check,
        reason,
        (request, adapter) ->
            request.isPut() && body.test(request.text()) ? adapter.state() : adapter.real(request));
  }

  private static boolean isOld(FakeAdapter.Request request) {
    return request.isPut()
        && request.field("desiredBytes") > 0
        && request.field("sampledMillis") > 0
        && request.field("sampledMillis") < System.currentTimeMillis() - 5 * MINUTE_MILLIS;
  }

  @ParameterizedTest
  @MethodSource("cases")
  void findsTheFaultWithTheCheckThatIsThereForIt(Case each) throws Exception {
    List<String> failed;
    try (FakeAdapter adapter = new FakeAdapter(store(), folder, each.fault())) {
      failed =
          new TierCheck(options(adapter, each), new NoTime())
              .run(result -> {}).stream()
                  .filter(result -> result.verdict() == CheckResult.Verdict.FAIL)
                  .map(result -> result.name() + ": " + result.reason())
                  .toList();
    }

    assertThat(failed).hasSize(1);
    assertThat(failed.get(0)).startsWith(each.check() + ": ").containsPattern(each.reason());
  }

  private CheckOptions options(FakeAdapter adapter, Case each) {
    return new CheckOptions(
        URI.create(adapter.url()),
        Optional.of(FakeAdapter.TOKEN),
        Optional.empty(),
        each.timeout(),
        each.command().equals("fill") ? Optional.of(fillCommand()) : Optional.empty(),
        FILL_BYTES,
        switch (each.command()) {
          case "restart" -> Optional.of("touch " + folder.resolve("restarted"));
          case "exit" -> Optional.of("exit 3");
          default -> Optional.empty();
        });
  }

  /** Each pause is over at once. */
  private static final class NoTime implements CheckPace {

    private long nanos;

    @Override
    public synchronized long nanos() {
      return nanos;
    }

    @Override
    public synchronized void pause() {
      nanos += POLL_NANOS;
    }
  }

  @Test
  void passesAnAdapterWithoutFaultWithEveryCheckAndPutsTheCapacityBack() throws Exception {
    FakeStore store = store();
    try (FakeAdapter adapter = new FakeAdapter(store, folder, NONE)) {
      var unused = store.resize(MAX_BYTES / 4 + 3);

      int exitCode =
          check(adapter, List.of("--fill-command", fillCommand(), "--restart-command", "true"));

      JsonNode report = json.readTree(runs.out());
      assertThat(reasons(report, "FAIL")).isEmpty();
      assertThat(reasons(report, "SKIP")).isEmpty();
      assertThat(exitCode).isZero();
      assertThat(report.get("passed").asBoolean()).isTrue();
      assertThat(store.status().capacityBytes()).isEqualTo(MAX_BYTES / 4 + 3);
    }
  }

  @Test
  void hasACaseForEveryCheck() throws Exception {
    try (FakeAdapter adapter = new FakeAdapter(store(), folder, NONE)) {
      check(adapter, List.of());
    }
    List<String> names = new ArrayList<>();
    json.readTree(runs.out()).get("checks").forEach(c -> names.add(c.get("name").asText()));

    assertThat(cases().stream().map(Case::check).distinct())
        .containsExactlyInAnyOrderElementsOf(names);
  }

  @Test
  void putsTheCapacityBackOfAnAdapterThatFails() throws Exception {
    FakeStore store = store();
    try (FakeAdapter adapter = new FakeAdapter(store, folder, told(t -> t.put("hitRatio", 93)))) {
      var unused = store.resize(MAX_BYTES / 4 + 3);
      assertThat(check(adapter, List.of())).isEqualTo(1);
      assertThat(json.readTree(runs.out()).get("passed").asBoolean()).isFalse();
      assertThat(store.status().capacityBytes()).isEqualTo(MAX_BYTES / 4 + 3);
    }
  }

  @Test
  void printsALineForEachCheckAndTheirNumbers() throws Exception {
    try (FakeAdapter adapter = new FakeAdapter(store(), folder, told(t -> t.put("hitRatio", 93)))) {
      assertThat(run(adapter.url(), "--token-file", folder.resolve("token").toString()))
          .isEqualTo(1);
    }

    assertThat(runs.out())
        .containsPattern("(?m)^PASS  fields +[0-9]+ fields, each of its type$")
        .containsPattern("(?m)^FAIL  bounds +hitRatio: 93 is above 1$")
        .containsPattern("(?m)^SKIP  restart +no --restart-command$")
        .containsPattern("(?m)^[0-9]+ checks: [0-9]+ passed, 1 failed, 2 skipped$");
  }

  @Test
  void speaksTls() throws Exception {
    LocalAuthority authority = new LocalAuthority(folder, "authority", 1);
    TlsFiles.Paths client = authority.issue("client");
    try (TlsFiles files = TlsFiles.open(authority.issue("server"));
        TierServer server =
            TierServer.start(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                store(),
                GuardSettings.none(),
                TierAccess.anyone().over(files))) {
      assertThat(
              run(
                  server.uri().toString(),
                  "--tls-ca",
                  authority.authorities().toString(),
                  "--tls-certificate",
                  client.certificate().orElseThrow().toString(),
                  "--tls-key",
                  client.key().orElseThrow().toString()))
          .as(runs.out())
          .isZero();
      assertThat(runs.out()).contains("PASS  foreign-host", "SKIP  token");
      assertThat(run(server.uri().toString())).isEqualTo(1);
      assertThat(runs.err()).contains("does not answer");
    }
  }

  @Test
  void leavesATierAloneThatAControllerHas() throws Exception {
    try (FakeAdapter adapter =
        new FakeAdapter(store(), folder, told(t -> t.put("leaseHeld", true)))) {
      assertThat(run(adapter.url())).isEqualTo(1);
    }
    assertThat(runs.err()).contains("a controller has the tier (leaseHeld)");
    assertThat(runs.out()).isEmpty();
  }

  @Test
  void leavesATierAloneThatAGuardMoves() throws Exception {
    try (FakeAdapter adapter =
        new FakeAdapter(store(), folder, told(t -> t.put("guard", "Deciding")))) {
      assertThat(run(adapter.url())).isEqualTo(1);
    }
    assertThat(runs.err()).contains("the adapter follows a policy");
  }

  @Test
  void saysThatNobodyAnswers() {
    assertThat(run("http://127.0.0.1:" + FreePorts.next())).isEqualTo(1);
    assertThat(runs.err()).contains("/v1/tier does not answer");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "localhost:7070 | is not an address such as",
        "ftp://localhost | is not an address such as",
        "http://localhost/v1/tier | is not an address such as",
        "http://localhost --timeout 0s | --timeout: '0s' is not above 0",
        "http://localhost --timeout soon | --timeout:",
        "http://localhost --fill-bytes much | --fill-bytes:",
        "http://localhost --token-file /no/such/file | --token-file:",
        "http://localhost --tls-ca /no/such/file | --tls:",
        "http://localhost -o xml | xml"
      })
  void refusesWrongArguments(String line, String message) {
    assertThat(run(line.split(" ", -1))).isEqualTo(2);
    assertThat(runs.err()).contains(message);
  }

  private FakeStore store() {
    return new FakeStore(folder.resolve("fill"));
  }

  /** Tells the store how much is written, all at once. */
  private String fillCommand() {
    Path fill = folder.resolve("fill");
    return "echo $DYNIMS_FILL_BYTES >%s.new && mv %s.new %s".formatted(fill, fill, fill);
  }

  private static List<String> reasons(JsonNode report, String verdict) {
    List<String> all = new ArrayList<>();
    for (JsonNode each : report.get("checks")) {
      if (each.get("verdict").asText().equals(verdict)) {
        all.add(each.get("name").asText() + ": " + each.get("reason").asText());
      }
    }
    return all;
  }

  private int check(FakeAdapter adapter, List<String> more) {
    List<String> all = new ArrayList<>(List.of(adapter.url(), "-o", "json"));
    all.addAll(List.of("--token-file", folder.resolve("token").toString()));
    all.addAll(more);
    return run(all.toArray(String[]::new));
  }

  private int run(String... args) {
    List<String> all = new ArrayList<>(List.of("tier-check"));
    all.addAll(List.of(args));
    return runs.run(all);
  }
}
