package io.dynims.controller;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.dynims.controller.api.ControllerMetrics;
import io.dynims.controller.api.FleetReader;
import io.dynims.controller.api.RestLimits;
import io.dynims.controller.api.RestServer;
import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.kafka.ControllerGroup;
import io.dynims.controller.kafka.TargetFeed;
import io.dynims.operator.Role;
import io.dynims.policy.files.PolicyFiles;
import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.Vertx;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The controller: policies and targets in, pushes to the tiers and acks out, and the fleet on a
 * REST API. Only this verticle's event loop accesses the fleet; whatever blocks has its own thread,
 * and the REST API its own event loop.
 */
final class Controller extends VerticleBase implements PolicySource.Listener {

  private static final long REFRESH_MILLIS = 500;
  private static final long ALIVE_MILLIS = 100;

  /** A longer pause of the event loop lets others take over. */
  private static final long HUNG_NANOS = MILLISECONDS.toNanos(500);

  private final ControllerSettings settings;
  private final Clock clock;
  private final Vertx restVertx = ControllerMain.vertx();
  private EventLoop loop;
  private PolicySource source;
  private TargetFlow flow;
  private PolicySync policies;
  private TargetFeed targets;
  private FleetHistory history;
  private Tenures tenures;
  private ControllerGroup group;
  private volatile long aliveNanos = System.nanoTime();
  private volatile Role role;
  private RestServer rest;

  Controller(ControllerSettings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  public Future<?> start() {
    ControllerMetrics metrics = new ControllerMetrics();
    Fleet fleet = new Fleet(settings.history(), clock);
    loop = new EventLoop(context);
    source = source(fleet);
    Optional<String> member = settings.share() ? Optional.of(settings.member()) : Optional.empty();
    tenures = new Tenures(member);
    flow = new TargetFlow(vertx, loop, settings, clock, fleet, metrics, source, tenures);
    policies = new PolicySync(settings, source, fleet, flow.pusher(), loop, tenures);
    targets = new TargetFeed(settings.kafka(), flow);
    history = new FleetHistory(settings, clock, fleet, loop, metrics::historyDropped);
    Readiness readiness = new Readiness(source, policies, targets);
    rest =
        new RestServer(
            settings.address(),
            settings.access(),
            new FleetReader(fleet, loop::execute),
            metrics,
            clock,
            readiness::missing,
            settings.history().perTier(),
            settings.links(),
            RestLimits.DEFAULT,
            settings.push());
    metrics.gauge("dynims.kafka.lag.records", "Unread targets", targets::lagRecords);
    changeRole(source.initialRole());
    member.ifPresent(name -> share(name, metrics));
    metrics.gauge(
        "dynims.leader", "1 while this replica is the leader, else 0", () -> role.pushes() ? 1 : 0);
    vertx.setPeriodic(
        REFRESH_MILLIS,
        timer -> {
          policies.refresh();
          fleet.refresh();
          history.write(tenures::pushes);
        });
    return source
        .start(this)
        .compose(started -> restVertx.deployVerticle(rest))
        .onFailure(failure -> restVertx.close());
  }

  private void share(String member, ControllerMetrics metrics) {
    targets.serve(Set.of());
    vertx.setPeriodic(ALIVE_MILLIS, timer -> aliveNanos = System.nanoTime());
    group =
        new ControllerGroup(
            settings.kafka(),
            member,
            targets::partitions,
            () -> System.nanoTime() - aliveNanos < HUNG_NANOS,
            (held, partitions) -> loop.executeAndWait(() -> serve(held, partitions)));
    metrics.gauge(
        "dynims.partitions.served",
        "Partitions of the target topic whose tiers this replica pushes to",
        tenures::served);
  }

  private void serve(Map<Integer, Long> held, int partitions) {
    tenures.serve(held, partitions);
    targets.serve(held.keySet());
    flow.reassign();
  }

  private PolicySource source(Fleet fleet) {
    return settings
        .kubernetes()
        .<PolicySource>map(
            kubernetes ->
                new ClusterPolicies(vertx, kubernetes, settings.push(), clock, fleet, loop))
        .orElseGet(
            () ->
                new FilePolicies(
                    settings.policies(), settings.policiesPollMillis(), settings.kafkaLease()));
  }

  RestServer rest() {
    return rest;
  }

  @Override
  public void policiesRead(PolicyFiles.Result read) {
    loop.execute(() -> policies.apply(read));
  }

  @Override
  public void roleChanged(Role next) {
    loop.execute(() -> changeRole(next));
  }

  private void changeRole(Role next) {
    role = next;
    tenures.changeRole(role);
    flow.reassign();
    policies.changeRole(role);
  }

  @Override
  public Future<?> stop() {
    Future<?> closed =
        vertx.executeBlocking(
            () -> {
              if (group != null) {
                group.close(); // First, so that others take over while this replica ends.
              }
              source.close();
              targets.close();
              history.close();
              policies.close();
              flow.close();
              return null;
            });
    return Future.join(closed, restVertx.close());
  }
}
