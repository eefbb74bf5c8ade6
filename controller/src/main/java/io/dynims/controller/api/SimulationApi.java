package io.dynims.controller.api;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.Tier;
import io.dynims.core.law.LawType;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.WireCodec;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.ext.web.RoutingContext;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/**
 * Simulates another policy on what the controller has recorded of a tier, and changes nothing. It
 * runs on a worker thread, one simulation at a time; a request that comes meanwhile gets 503. As
 * whoever may read may ask for one, they take a quarter of a processor at most.
 */
final class SimulationApi {

  private static final WireCodec<TierSimulation> SIMULATION = new WireCodec<>(TierSimulation.class);
  private static final Set<String> PARAMETERS = Set.of("tier", "last", "law", "threshold", "gain");
  private static final int DEFAULT_LAST = 3_000;

  /** The newest of a longer history, so that a simulation takes no more than about a second. */
  private static final int MAX_DECISIONS = 10_000;

  private record Task(Policy policy, List<Target> decisions) {

    TierSimulation run() {
      return TierSimulation.of(policy, decisions);
    }
  }

  private final Vertx vertx;
  private final FleetReader fleet;
  private final LargeBodies bodies;
  private final int maxHistory;
  private final DutyCycle cycle = new DutyCycle(System.nanoTime());
  private boolean running;

  SimulationApi(Vertx vertx, FleetReader fleet, LargeBodies bodies, int maxHistory) {
    this.vertx = vertx;
    this.fleet = fleet;
    this.bodies = bodies;
    this.maxHistory = maxHistory;
  }

  void simulate(RoutingContext request) {
    Query query = new Query(request, PARAMETERS);
    HistoryRange last = query.last(Math.min(DEFAULT_LAST, maxHistory), maxHistory);
    PolicyChange change =
        new PolicyChange(
            query.oneOf("law", LawType.class), query.number("threshold"), query.number("gain"));
    Function<Fleet, Tier> tier = query.tier();
    if (running) {
      throw ApiException.unavailable(
          "Busy", "another simulation is running; try again in a second");
    }
    running = true;
    rested()
        .compose(rested -> fleet.read(all -> task(all, tier.apply(all), last, change)))
        .compose(this::run)
        .onComplete(ended -> running = false)
        .onSuccess(
            result ->
                bodies.respond(
                    request,
                    Responses.JSON,
                    () -> Future.succeededFuture(result),
                    SIMULATION::encode))
        .onFailure(request::fail);
  }

  private Future<Void> rested() {
    long millis = cycle.restMillis(System.nanoTime());
    return millis == 0
        ? Future.succeededFuture()
        : vertx.timer(millis, TimeUnit.MILLISECONDS).mapEmpty();
  }

  private Future<TierSimulation> run(Task task) {
    long startNanos = System.nanoTime();
    return vertx
        .executeBlocking(task::run, false)
        .onComplete(ended -> cycle.worked(startNanos, System.nanoTime()));
  }

  private static Task task(Fleet all, Tier tier, HistoryRange last, PolicyChange change) {
    List<Target> decisions = last.of(all, tier);
    return new Task(
        change.of(tier.policy()), decisions.subList(0, Math.min(MAX_DECISIONS, decisions.size())));
  }
}
