package io.dynims.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.dynims.cli.doctor.PeerClient.Reply;
import io.dynims.runtime.auth.TokenFile;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the controller tells.
 *
 * @param uri its address
 * @param readiness the status of {@code /readyz}, and what is missing
 * @param isReady whether that is 200
 * @param status of {@code /api/v1/tiers}
 * @param problem that status, and what it says of a problem
 * @param tiers every tier; missing unless the status is 200
 * @param policies policies, errors and warnings; missing unless the status is 200
 * @param aheadMillis how far its clock is ahead of this machine's; empty if it told no time
 * @param version its version, if it tells it
 */
record ControllerFacts(
    URI uri,
    String readiness,
    boolean isReady,
    int status,
    String problem,
    JsonNode tiers,
    JsonNode policies,
    OptionalLong aheadMillis,
    Optional<String> version) {

  static ControllerFacts read(URI uri, DoctorOptions options)
      throws IOException, InterruptedException {
    PeerClient client = new PeerClient(uri, options.targets().tls(), options.timeout());
    Optional<Path> tokenFile = options.targets().controllerTokenFile();
    Optional<String> token =
        tokenFile.isPresent() ? Optional.of(token(tokenFile.get())) : Optional.empty();
    Reply ready = client.get("/readyz", token);
    long beforeMillis = options.clock().millis();
    Reply tiers = client.get("/api/v1/tiers", token);
    long afterMillis = options.clock().millis();
    boolean answered = tiers.status() == 200;
    JsonNode list = answered ? tiers.json().path("tiers") : MissingNode.getInstance();
    return new ControllerFacts(
        uri,
        ready.problem(),
        ready.status() == 200,
        tiers.status(),
        tiers.problem(),
        list,
        answered ? client.get("/api/v1/policies", token).json() : MissingNode.getInstance(),
        aheadMillis(list, beforeMillis, afterMillis),
        client.get("/metrics", token).version());
  }

  /** The tier of a node; with one name, if it is known. */
  Optional<JsonNode> tier(String node, Optional<String> name) {
    return find(tiers, node, name);
  }

  /** The policy of a node's tier. */
  Optional<JsonNode> policy(String node, Optional<String> name) {
    return find(policies.path("policies"), node, name);
  }

  private static Optional<JsonNode> find(JsonNode list, String node, Optional<String> name) {
    for (JsonNode each : list) {
      boolean named = name.isEmpty() || name.get().equals(each.path("tier").asText());
      if (named && each.path("node").asText().equals(node)) {
        return Optional.of(each);
      }
    }
    return Optional.empty();
  }

  /** A tier's view has its sample's time and its age, both as of one moment of the controller's. */
  private static OptionalLong aheadMillis(JsonNode tiers, long beforeMillis, long afterMillis) {
    for (JsonNode tier : tiers) {
      if (tier.path("sampledMillis").isNumber() && tier.path("ageMillis").isNumber()) {
        long toldMillis = tier.get("sampledMillis").asLong() + tier.get("ageMillis").asLong();
        // Within the request, no difference can be told.
        long ahead = Math.max(0, toldMillis - afterMillis);
        long behind = Math.max(0, beforeMillis - toldMillis);
        return OptionalLong.of(ahead - behind);
      }
    }
    return OptionalLong.empty();
  }

  private static String token(Path path) throws IOException {
    try (TokenFile file = TokenFile.open(path)) {
      return file.tokens().get(0);
    }
  }
}
