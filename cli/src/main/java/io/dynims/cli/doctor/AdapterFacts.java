package io.dynims.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.dynims.cli.doctor.PeerClient.Reply;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.tier.TierApi;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What an adapter tells.
 *
 * @param uri its address
 * @param status of {@code GET /v1/tier}
 * @param tier the tier's state; missing unless the status is 200
 * @param problem the status, and what it says of a problem
 * @param askedMillis when it was asked, by this machine's clock
 * @param withoutToken the status of a request without a token that would change something if it
 *     were valid
 * @param withToken the same with the token; empty if there is none
 * @param version its version, if it tells it
 * @param foreignChanges how often somebody else has set the store's limit
 */
record AdapterFacts(
    URI uri,
    int status,
    JsonNode tier,
    String problem,
    long askedMillis,
    int withoutToken,
    OptionalInt withToken,
    Optional<String> version,
    long foreignChanges) {

  /** No adapter applies it, since it lacks every field; but it asks for the token first. */
  private static final String EMPTY_REQUEST = "{}";

  static AdapterFacts read(URI uri, DoctorOptions options)
      throws IOException, InterruptedException {
    PeerClient client = new PeerClient(uri, options.targets().tls(), options.timeout());
    long askedMillis = options.clock().millis();
    Reply state = client.get(TierApi.PATH, Optional.empty());
    Optional<String> token = options.targets().tokenFile().flatMap(AdapterFacts::token);
    int withoutToken = client.put(TierApi.PATH, Optional.empty(), EMPTY_REQUEST).status();
    OptionalInt withToken =
        token.isPresent()
            ? OptionalInt.of(client.put(TierApi.PATH, token, EMPTY_REQUEST).status())
            : OptionalInt.empty();
    Reply metrics = client.get("/metrics", Optional.empty());
    return new AdapterFacts(
        uri,
        state.status(),
        state.status() == 200 ? state.json() : MissingNode.getInstance(),
        state.problem(),
        askedMillis,
        withoutToken,
        withToken,
        metrics.version(),
        (long) metrics.sum("dynims_adapter_foreign_changes_total"));
  }

  private static Optional<String> token(Path path) {
    try (TokenFile file = TokenFile.open(path)) {
      return Optional.of(file.tokens().get(0));
    } catch (IOException e) {
      return Optional.empty(); // TokenChecks reports it.
    }
  }
}
