package io.dynims.controller.api;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.Tier;
import io.dynims.controller.push.HintRefusedException;
import io.dynims.controller.push.HintSender;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import io.dynims.tier.HintRequest;
import io.dynims.tier.TierApi;
import io.vertx.core.http.HttpHeaders;
import io.vertx.ext.web.RoutingContext;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * The hints of the fleet. The adapters of a node keep its hints, so any replica may pass one on,
 * and none is lost with the controller.
 */
final class HintApi {

  private static final Logger LOG = LogManager.getLogger(HintApi.class);
  private static final WireCodec<NodeHint> HINT = new WireCodec<>(NodeHint.class);
  private static final Set<Integer> PASSED_ON = Set.of(400, 409);

  private final FleetReader fleet;
  private final LargeBodies bodies;
  private final HintSender sender;
  private final RestAccess access;

  HintApi(FleetReader fleet, LargeBodies bodies, HintSender sender, RestAccess access) {
    this.fleet = fleet;
    this.bodies = bodies;
    this.sender = sender;
    this.access = access;
  }

  /** All hints, as the adapters told them last. */
  void list(RoutingContext request) {
    var unusedQuery = new Query(request, Set.of());
    bodies.respond(
        request, Responses.JSON, HintApi::all, hints -> Lists.HINTS.encode(new Lists.Hints(hints)));
  }

  /** Gives a hint to every adapter of its node; one that keeps it is enough. */
  void give(RoutingContext request) {
    access.requireChange(request.request().getHeader(HttpHeaders.AUTHORIZATION));
    var unusedQuery = new Query(request, Set.of());
    HintRequest hint = hint(request);
    fleet
        .read(all -> adapters(all, hint.node()))
        .compose(adapters -> sender.give(adapters, hint))
        .map(kept -> given(hint, kept))
        .map(
            given -> {
              LOG.info("hint: {}", given);
              Responses.json(request.response(), HINT, given);
              return given;
            })
        .onFailure(failure -> request.fail(asAnswer(failure)));
  }

  /** Withdraws a hint from every adapter of the node. */
  void withdraw(RoutingContext request) {
    access.requireChange(request.request().getHeader(HttpHeaders.AUTHORIZATION));
    var unusedQuery = new Query(request, Set.of());
    String node = request.pathParam("node");
    String owner = request.pathParam("owner");
    try {
      Hint.checkOwner(owner);
    } catch (IllegalArgumentException e) {
      throw ApiException.invalid("owner", e.getMessage());
    }
    fleet
        .read(all -> adapters(all, node))
        .compose(adapters -> sender.withdraw(adapters, owner))
        .onSuccess(
            withdrawn -> {
              LOG.info("hint of {} on {}: withdrawn", owner, node);
              request.response().setStatusCode(204).end();
            })
        .onFailure(failure -> request.fail(asAnswer(failure)));
  }

  private static List<NodeHint> all(Fleet fleet) {
    return fleet.tiers().stream()
        .filter(tier -> tier.inForce() != null && tier.inForce().hints() != null)
        .flatMap(HintApi::ofTier)
        .distinct()
        .toList();
  }

  private static Stream<NodeHint> ofTier(Tier tier) {
    return tier.inForce().hints().stream().map(hint -> NodeHint.of(tier.key().node(), hint));
  }

  /**
   * The hint of a request. A page of another origin can send it only as some other type, or after
   * it has asked, which is not answered.
   */
  private static HintRequest hint(RoutingContext request) {
    String type = request.request().getHeader(HttpHeaders.CONTENT_TYPE);
    if (type == null || !type.toLowerCase(Locale.ROOT).startsWith(Responses.JSON)) {
      throw ApiException.unsupported("'Content-Type' is not " + Responses.JSON);
    }
    try {
      var body = request.body().buffer();
      HintRequest hint = TierApi.HINT.decode(body == null ? null : body.getBytes());
      if (hint.node() == null) {
        throw ApiException.invalid("node", "node: is missing");
      }
      return hint;
    } catch (WireException e) {
      throw ApiException.invalid(e.field(), e.getMessage());
    }
  }

  private static List<URI> adapters(Fleet all, String node) {
    List<URI> adapters = all.adapters(node);
    if (adapters.isEmpty() && all.tiers(node).isEmpty()) {
      throw ApiException.notFound(
          "node '" + node + "' is in no policy; GET /api/v1/tiers lists all nodes", "node");
    }
    if (adapters.isEmpty()) {
      throw ApiException.unavailable("No adapter", "no adapter is known for node '" + node + "'");
    }
    return adapters;
  }

  private static NodeHint given(HintRequest asked, List<Hint> kept) {
    return kept.stream()
        .filter(hint -> hint.owner().equals(asked.owner()))
        .findFirst()
        .map(hint -> NodeHint.of(asked.node(), hint))
        .orElseThrow(
            () -> ApiException.unavailable("Hint not kept", "the adapter does not keep the hint"));
  }

  private static Throwable asAnswer(Throwable failure) {
    if (failure instanceof ApiException) {
      return failure;
    }
    if (failure instanceof HintRefusedException refused && PASSED_ON.contains(refused.status())) {
      return ApiException.refused(refused.status(), refused.getMessage(), refused.field());
    }
    String what = failure instanceof HintRefusedException ? "refuses it: " : "does not answer: ";
    return ApiException.unavailable(
        "Adapter unavailable", "the adapter of the node " + what + failure.getMessage());
  }
}
