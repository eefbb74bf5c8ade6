package io.dynims.controller.api;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.Tier;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;

/** Reads a request's path and query; what cannot be used is an error that names it. */
final class Query {

  private final RoutingContext request;

  Query(RoutingContext request, Set<String> known) {
    this.request = request;
    for (String name : request.queryParams().names()) {
      if (!known.contains(name)) {
        throw ApiException.badQuery(
            name, known.isEmpty() ? "there are no parameters here" : "known here are " + known);
      }
      if (request.queryParams().getAll(name).size() > 1) {
        throw ApiException.badQuery(name, "is given more than once");
      }
    }
  }

  /** How much of a history is asked for. */
  HistoryRange last(int otherwise, int maxCount) {
    String text = request.queryParams().get("last");
    try {
      return text == null ? new HistoryRange(otherwise, 0) : HistoryRange.read(text, maxCount);
    } catch (IllegalArgumentException e) {
      throw ApiException.badQuery("last", e.getMessage());
    }
  }

  /** Whether a parameter is given that can have one value only. */
  boolean isGiven(String name, String value) {
    String text = request.queryParams().get(name);
    if (text != null && !text.equals(value)) {
      throw ApiException.badQuery(name, "'" + text + "' is not " + value);
    }
    return text != null;
  }

  /** The tier of the node in the path; where the node has several, the one that is asked for. */
  Tier tier(Fleet fleet) {
    String node = request.pathParam("node");
    List<Tier> tiers = fleet.tiers(node);
    if (tiers.isEmpty()) {
      throw ApiException.notFound(
          "node '" + node + "' is in no policy; GET /api/v1/tiers lists those that are", "node");
    }
    List<String> names = tiers.stream().map(tier -> tier.key().tier()).toList();
    String wanted = request.queryParams().get("tier");
    if (wanted == null && tiers.size() > 1) {
      throw ApiException.badQuery("tier", "node '" + node + "' has several: " + names);
    }
    return tiers.stream()
        .filter(tier -> wanted == null || tier.key().tier().equals(wanted))
        .findFirst()
        .orElseThrow(
            () ->
                ApiException.notFound(
                    "node '" + node + "' has no tier '" + wanted + "', only " + names, "tier"));
  }
}
