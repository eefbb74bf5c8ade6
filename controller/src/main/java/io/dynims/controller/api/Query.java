package io.dynims.controller.api;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.Tier;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/** Parses a request's path and query; an error names the invalid parameter. */
final class Query {

  private final RoutingContext request;

  Query(RoutingContext request, Set<String> known) {
    this.request = request;
    for (String name : request.queryParams().names()) {
      if (!known.contains(name)) {
        throw ApiException.badQuery(
            name,
            known.isEmpty()
                ? "this path has no parameters"
                : "the parameters of this path are " + known);
      }
      if (request.queryParams().getAll(name).size() > 1) {
        throw ApiException.badQuery(name, "is given more than once");
      }
    }
  }

  /** The requested part of a history. */
  HistoryRange last(int defaultCount, int maxCount) {
    String text = request.queryParams().get("last");
    try {
      return text == null ? new HistoryRange(defaultCount, 0) : HistoryRange.parse(text, maxCount);
    } catch (IllegalArgumentException e) {
      throw ApiException.badQuery("last", e.getMessage());
    }
  }

  /** Whether a parameter is present that has only one permitted value. */
  boolean isGiven(String name, String value) {
    String text = request.queryParams().get(name);
    if (text != null && !text.equals(value)) {
      throw ApiException.badQuery(name, "'" + text + "' is not " + value);
    }
    return text != null;
  }

  /** A number; null if the parameter is not given. */
  Double number(String name) {
    String text = request.queryParams().get(name);
    try {
      return text == null ? null : Double.valueOf(text);
    } catch (NumberFormatException e) {
      throw ApiException.badQuery(name, "'" + text + "' is not a number");
    }
  }

  /** A value of an enum; null if the parameter is not given. */
  <E extends Enum<E>> E oneOf(String name, Class<E> type) {
    String text = request.queryParams().get(name);
    if (text == null) {
      return null;
    }
    List<E> values = List.of(type.getEnumConstants());
    return values.stream()
        .filter(value -> value.name().equals(text))
        .findFirst()
        .orElseThrow(() -> ApiException.badQuery(name, "'" + text + "' is not one of " + values));
  }

  /** Finds the tier of the node in the path; if the node has several, the one in the query. */
  Function<Fleet, Tier> tier() {
    String node = request.pathParam("node");
    String wanted = request.queryParams().get("tier");
    return fleet -> find(fleet.tiers(node), node, wanted);
  }

  private static Tier find(List<Tier> tiers, String node, String wanted) {
    if (tiers.isEmpty()) {
      throw ApiException.notFound(
          "node '" + node + "' is in no policy; GET /api/v1/tiers lists all nodes", "node");
    }
    List<String> names = tiers.stream().map(tier -> tier.key().tier()).toList();
    if (wanted == null && tiers.size() > 1) {
      throw ApiException.badQuery(
          "tier", "is required because node '" + node + "' has several: " + names);
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
