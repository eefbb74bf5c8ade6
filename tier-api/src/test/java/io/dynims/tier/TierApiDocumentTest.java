package io.dynims.tier;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.OptionalField;
import io.dynims.core.wire.WireCodec;
import io.dynims.tier.TierRoutes.Answer;
import io.dynims.tier.TierRoutes.Request;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** docs/tier-api.yaml says what the code does: paths, status codes, fields, and nothing else. */
class TierApiDocumentTest {

  private static final Path DOCUMENT = Path.of("../docs/tier-api.yaml");
  private static final Path SOURCES = Path.of("src/main/java/io/dynims/tier");
  private static final Pattern PROBLEM = Pattern.compile("problem\\(\\s*\"[^\"]*\",\\s*(\\d{3})");
  private static final Pattern ROUTE = Pattern.compile("case \"(/[^\"]*)\"");
  private static final int METHOD_NOT_ALLOWED = 405;
  private static final long MAX_BYTES = 1_000;
  private static final String POLICY_OF_ANOTHER_NODE =
      "{\"node\":\"n2\",\"tier\":\"t\",\"mode\":\"Off\",\"law\":\"Feedback\",\"threshold\":0.9,"
          + "\"gain\":0.5,\"minBytes\":0,\"maxBytes\":4000,\"intervalMillis\":100,"
          + "\"staleAfterMillis\":2000}";

  private static final Map<String, Class<? extends Record>> RECORDS =
      Map.of(
          "TierRequest", TierRequest.class,
          "TierStatus", TierStatus.class,
          "GuardDecisions", GuardDecisions.class,
          "HintRequest", HintRequest.class,
          "NodeHints", NodeHints.class,
          "Hint", Hint.class,
          "Problem", Problem.class);

  private final ObjectMapper json = new ObjectMapper();
  private final Map<?, ?> document;
  private final Set<String> seen = new TreeSet<>();

  TierApiDocumentTest() throws IOException {
    document =
        (Map<?, ?>)
            new Load(LoadSettings.builder().build()).loadFromString(Files.readString(DOCUMENT));
  }

  @Test
  void listsExactlyTheStatusCodesThatTheServerAnswers() throws Exception {
    callAStoreThatWorks();
    callAStoreThatDoesNot();
    callAServerThatIsBusy();
    callOverTheNetwork();

    assertThat(seen).containsExactlyElementsOf(documented());
  }

  @Test
  void listsEveryStatusCodeAndPathInTheSource() throws IOException {
    Set<String> documented = new TreeSet<>();
    documented().forEach(each -> documented.add(each.substring(each.lastIndexOf(' ') + 1)));
    documented.add(Integer.toString(METHOD_NOT_ALLOWED)); // In words, as it is of other methods.
    for (String name : List.of("TierRoutes.java", "HintRoutes.java", "TierHandler.java")) {
      assertThat(PROBLEM.matcher(Files.readString(SOURCES.resolve(name))).results())
          .isNotEmpty()
          .allSatisfy(found -> assertThat(documented).contains(found.group(1)));
    }
    List<String> routes =
        new ArrayList<>(List.of(TierApi.PATH, TierApi.DECISIONS_PATH, TierApi.HINTS_PATH));
    ROUTE
        .matcher(Files.readString(SOURCES.resolve("TierRoutes.java")))
        .results()
        .forEach(found -> routes.add(found.group(1)));

    assertThat(map(document, "paths").keySet().stream().map(Object::toString))
        .containsExactlyInAnyOrderElementsOf(routes);
  }

  @Test
  void listsEveryFieldWithItsTypeAndWhetherItIsRequired() {
    Map<?, ?> schemas = path("components", "schemas");
    assertThat(schemas.keySet().stream().map(Object::toString))
        .containsExactlyInAnyOrderElementsOf(RECORDS.keySet());
    RECORDS.forEach(
        (name, type) -> {
          Map<?, ?> schema = map(schemas, name);
          List<String> required = new ArrayList<>();
          List<String> fields = new ArrayList<>();
          for (RecordComponent field : type.getRecordComponents()) {
            boolean optional = field.isAnnotationPresent(OptionalField.class);
            fields.add(field.getName());
            if (!optional) {
              required.add(field.getName());
            }
            Object documented = map(map(schema, "properties"), field.getName()).get("type");
            assertThat(documented)
                .as(name + "." + field.getName())
                .isEqualTo(optional ? List.of(jsonType(field), "null") : jsonType(field));
          }
          assertThat(map(schema, "properties").keySet().stream().map(Object::toString))
              .as(name)
              .containsExactlyElementsOf(fields);
          assertThat((List<?>) schema.get("required")).as(name).isEqualTo(required);
        });
    List<?> guard =
        (List<?>) path("components", "schemas", "TierStatus", "properties", "guard").get("enum");
    assertThat(guard.stream().filter(each -> each != null).map(Object::toString))
        .containsExactlyElementsOf(
            Arrays.stream(GuardState.values()).map(Object::toString).toList());
  }

  @Test
  void hasExamplesThatTheCodecsRead() throws Exception {
    Map<?, ?> examples = path("components", "examples");
    for (Object name : examples.keySet()) {
      decode(TierApi.STATUS, map(examples, name).get("value"));
    }
    Map<?, ?> put = path("paths", TierApi.PATH, "put");
    Map<?, ?> request = map(map(map(put, "requestBody"), "content"), "application/json");
    decode(TierApi.REQUEST, map(map(request, "examples"), "shrink").get("value"));
    Map<?, ?> responses = map(put, "responses");
    for (String code : List.of("400", "409")) {
      Map<?, ?> content = map(map(responses, code), "content");
      decode(TierApi.PROBLEM, map(content, "application/problem+json").get("example"));
    }
  }

  private <T> void decode(WireCodec<T> codec, Object example) throws Exception {
    assertThat(example).isNotNull();
    byte[] bytes = json.writeValueAsBytes(example);
    assertThat(json.readTree(codec.encode(codec.decode(bytes)))).isEqualTo(json.readTree(bytes));
  }

  private void callAStoreThatWorks() throws Exception {
    var settings = new GuardSettings("n1", Optional.empty(), StateFile.open(Optional.empty()));
    var store = new InMemoryTierStore("t", 0, MAX_BYTES);
    try (TierRoutes routes = routes(store, settings, Optional.of(new Metrics(false)))) {
      call(routes, "GET", TierApi.PATH, null, "", true);
      put(routes, "500", "5000", "");
      put(routes, "9999", "5000", "");
      put(routes, "-1", "5000", "");
      put(routes, "500", "4999", "");
      put(routes, "500", "9999999999999", "");
      put(routes, "500", "5000", ",\"policy\":" + POLICY_OF_ANOTHER_NODE);
      call(routes, "PUT", TierApi.PATH, null, "{}", false);
      call(routes, "GET", TierApi.DECISIONS_PATH, null, "", true);
      call(routes, "GET", TierApi.DECISIONS_PATH, "since=x", "", true);
      call(routes, "GET", "/healthz", null, "", true);
      call(routes, "GET", "/readyz", null, "", true);
      call(routes, "GET", "/metrics", null, "", true);
      callForHints(routes);
    }
  }

  private void callForHints(TierRoutes routes) throws Exception {
    call(routes, "GET", TierApi.HINTS_PATH, null, "", true);
    for (int i = 0; i <= Hint.MAX_HINTS; i++) {
      String body = "{\"node\":\"n1\",\"owner\":\"job-" + i + "\",\"bytes\":100}";
      call(routes, "POST", TierApi.HINTS_PATH, null, body, true);
    }
    call(routes, "POST", TierApi.HINTS_PATH, null, "{}", true);
    call(routes, "POST", TierApi.HINTS_PATH, null, "{}", false);
    String misdirected = "{\"node\":\"n2\",\"owner\":\"job-1\",\"bytes\":100}";
    call(routes, "POST", TierApi.HINTS_PATH, null, misdirected, true);
    call(routes, "DELETE", TierApi.HINTS_PATH, "owner=job-1", "", true);
    call(routes, "DELETE", TierApi.HINTS_PATH, null, "", true);
    call(routes, "DELETE", TierApi.HINTS_PATH, "owner=job-1", "", false);
  }

  private void callAStoreThatDoesNot() throws Exception {
    InMemoryTierStore away = new InMemoryTierStore("t", 0, MAX_BYTES);
    away.setAway(true);
    for (TierStore store : List.of(away, new Broken())) {
      try (TierRoutes routes = routes(store, GuardSettings.none(), Optional.empty())) {
        call(routes, "GET", TierApi.PATH, null, "", true);
        call(routes, "GET", "/readyz", null, "", true);
        call(routes, "GET", "/metrics", null, "", true);
        put(routes, "500", "5000", "");
      }
    }
    try (TierRoutes routes = routes(away, GuardSettings.none(), Optional.of(new Metrics(true)))) {
      call(routes, "GET", "/metrics", null, "", true);
    }
  }

  private void callAServerThatIsBusy() throws Exception {
    ExecutorService busy = Executors.newSingleThreadExecutor();
    busy.shutdown();
    var tier =
        new LeasedTier(
            new InMemoryTierStore("t", 0, MAX_BYTES),
            GuardSettings.none(),
            Clock.systemUTC(),
            System::nanoTime);
    try (TierRoutes routes = new TierRoutes(tier, Optional.empty(), busy, busy)) {
      for (Object path : map(document, "paths").keySet()) {
        call(routes, "GET", path.toString(), null, "", true);
      }
      put(routes, "500", "5000", "");
      call(routes, "POST", TierApi.HINTS_PATH, null, "{}", true);
      call(routes, "DELETE", TierApi.HINTS_PATH, "owner=job-1", "", true);
    }
  }

  private void callOverTheNetwork() throws Exception {
    try (TierServer server =
        TierServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new InMemoryTierStore("t", 0, MAX_BYTES),
            GuardSettings.none(),
            TierAccess.anyone())) {
      for (Object path : map(document, "paths").keySet()) {
        send(server, "GET", path.toString(), "Host: elsewhere.example", 0);
      }
      send(server, "PUT", TierApi.PATH, "Host: elsewhere.example", 0);
      send(server, "PUT", TierApi.PATH, "Host: localhost", (16 << 10) + 1);
      send(server, "POST", TierApi.HINTS_PATH, "Host: elsewhere.example", 0);
      send(server, "POST", TierApi.HINTS_PATH, "Host: localhost", (16 << 10) + 1);
      send(server, "DELETE", TierApi.HINTS_PATH, "Host: elsewhere.example", 0);
    }
  }

  private void send(TierServer server, String method, String path, String host, int length)
      throws IOException {
    try (Socket socket = new Socket(server.uri().getHost(), server.uri().getPort())) {
      String request =
          "%s %s HTTP/1.1\r\n%s\r\nContent-Length: %d\r\n\r\n%s"
              .formatted(method, path, host, length, " ".repeat(length));
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      String status = new String(socket.getInputStream().readNBytes(12), US_ASCII);
      seen.add(method + " " + path + " " + status.substring("HTTP/1.1 ".length()));
    }
  }

  private static TierRoutes routes(
      TierStore store, GuardSettings settings, Optional<ServerMetrics> metrics) {
    return new TierRoutes(
        new LeasedTier(store, settings, Clock.systemUTC(), System::nanoTime), metrics);
  }

  private void put(TierRoutes routes, String desiredBytes, String sampledMillis, String more)
      throws Exception {
    String body =
        "{\"desiredBytes\":%s,\"sampledMillis\":%s,\"leaseMillis\":60000%s}"
            .formatted(desiredBytes, sampledMillis, more);
    call(routes, "PUT", TierApi.PATH, null, body, true);
  }

  private void call(
      TierRoutes routes, String method, String path, String query, String body, boolean permitted)
      throws Exception {
    CompletableFuture<Answer> answer = new CompletableFuture<>();
    routes.handle(
        new Request(method, path, query, body.getBytes(UTF_8)), permitted, answer::complete);
    seen.add(method + " " + path + " " + answer.get().status());
  }

  /** Such as {@code PUT /v1/tier 202}. */
  private Set<String> documented() {
    Set<String> all = new TreeSet<>();
    Map<?, ?> paths = map(document, "paths");
    for (Object path : paths.keySet()) {
      for (Object method : map(paths, path).keySet()) {
        for (Object code : map(map(map(paths, path), method), "responses").keySet()) {
          all.add(method.toString().toUpperCase(Locale.ROOT) + " " + path + " " + code);
        }
      }
    }
    return all;
  }

  private static String jsonType(RecordComponent field) {
    Class<?> type = field.getType();
    if (type == long.class || type == Long.class || type == int.class) {
      return "integer";
    }
    if (type == Double.class) {
      return "number";
    }
    if (type == Boolean.class) {
      return "boolean";
    }
    if (type == List.class) {
      return "array";
    }
    return type == String.class || type.isEnum() ? "string" : "object";
  }

  /** Follows names. */
  private Map<?, ?> path(String... names) {
    Map<?, ?> at = document;
    for (String name : names) {
      at = map(at, name);
    }
    return at;
  }

  private static Map<?, ?> map(Map<?, ?> parent, Object name) {
    assertThat(parent.get(name)).as("'%s' of %s", name, parent.keySet()).isInstanceOf(Map.class);
    return (Map<?, ?>) parent.get(name);
  }

  /** A store with a bug. */
  private static final class Broken implements TierStore {

    @Override
    public TierStatus status() {
      throw new IllegalStateException("a bug");
    }

    @Override
    public TierStatus resize(long desiredBytes) {
      throw new IllegalStateException("a bug");
    }
  }

  private record Metrics(boolean broken) implements ServerMetrics {

    @Override
    public String contentType() {
      return "text/plain";
    }

    @Override
    public String scrape() {
      if (broken) {
        throw new IllegalStateException("a bug");
      }
      return "";
    }

    @Override
    public void resized(int status, long durationNanos) {}
  }
}
