package io.dynims.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A request to the API server, from its audit log.
 *
 * @param at when it was received
 * @param verb such as {@code list} or {@code patch}
 * @param resource such as {@code nodes} or {@code memorytiers/status}; empty for other paths
 * @param namespace the namespace, empty if it has none
 * @param name the object's name, empty if it concerns several
 * @param status the HTTP status of the answer, such as 403 if the account lacks the right
 */
public record ApiRequest(
    Instant at, String verb, String resource, String namespace, String name, int status) {

  private static final Set<String> WRITES =
      Set.of("create", "update", "patch", "delete", "deletecollection");

  /** Whether the request was to change something. */
  public boolean isWrite() {
    return WRITES.contains(verb);
  }

  static List<ApiRequest> read(Path log, String user) {
    try (Stream<String> lines = Files.lines(log)) {
      return lines
          .filter(line -> line.contains(user) && line.endsWith("}"))
          .map(Kubectl::json)
          .filter(event -> event.at("/user/username").asText().equals(user))
          // A watch has two entries, at its start and at its end; only the first one counts.
          .filter(event -> event.path("stage").asText().equals(lastStageOf(event)))
          .map(ApiRequest::of)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String lastStageOf(JsonNode event) {
    return event.path("verb").asText().equals("watch") ? "ResponseStarted" : "ResponseComplete";
  }

  private static ApiRequest of(JsonNode event) {
    JsonNode object = event.path("objectRef");
    String subresource = object.path("subresource").asText();
    String resource = object.path("resource").asText();
    return new ApiRequest(
        Instant.parse(event.path("requestReceivedTimestamp").asText()),
        event.path("verb").asText(),
        subresource.isEmpty() ? resource : resource + "/" + subresource,
        object.path("namespace").asText(),
        object.path("name").asText(),
        event.at("/responseStatus/code").asInt());
  }
}
