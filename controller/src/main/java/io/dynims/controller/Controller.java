package io.dynims.controller;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.dynims.controller.api.ControllerMetrics;
import io.dynims.controller.api.RestApi;
import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.fleet.LogLine;
import io.dynims.controller.fleet.Tier;
import io.dynims.controller.kafka.AckSink;
import io.dynims.controller.kafka.PolicyPublisher;
import io.dynims.controller.kafka.TargetFeed;
import io.dynims.controller.push.PushListener;
import io.dynims.controller.push.Pusher;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.OnDelete;
import io.dynims.core.wire.Policy;
import io.dynims.core.wire.Target;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierView;
import io.dynims.operator.FleetLink;
import io.dynims.operator.Operator;
import io.dynims.operator.Role;
import io.dynims.policy.PolicySet;
import io.dynims.policy.files.PolicyFiles;
import io.dynims.tier.TierReply;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.VerticleBase;
import io.vertx.core.http.HttpServer;
import java.net.URI;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * The controller: targets come from Kafka and go to the adapters, their answers go to Kafka as
 * acks; policies come from files, or from whoever feeds the model, and go to Kafka. The fleet's
 * state is touched by this verticle's event loop alone; whatever waits has a thread of its own.
 */
final class Controller extends VerticleBase implements PushListener, TargetFeed.Receiver {

  private static final Logger LOG = LogManager.getLogger(Controller.class);
  private static final long REFRESH_MILLIS = 500;

  private final ControllerSettings settings;
  private final Clock clock;
  private final ControllerMetrics meters = new ControllerMetrics();
  private final ScheduledExecutorService filesThread =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "policy-files"));

  private Context loop;
  private Fleet fleet;
  private Pusher pusher;
  private AckSink acks;
  private PolicyPublisher publisher;
  private TargetFeed targets;
  private FleetHistory history;
  private HttpServer http;
  private Operator operator;
  private Role role;
  private PolicyFiles.Result documents = new PolicyFiles.Result(PolicySet.EMPTY, false);

  Controller(ControllerSettings settings, Clock clock) {
    this.settings = settings;
    this.clock = clock;
  }

  @Override
  public Future<?> start() {
    loop = context;
    fleet = new Fleet(settings.history(), clock);
    pusher = new Pusher(vertx, clock, System::nanoTime, settings.push(), this);
    acks = new AckSink(settings.kafka(), meters::ackDropped);
    publisher = new PolicyPublisher(settings.kafka(), this::orphaned);
    fleet.onPolicies(this::publishPolicies);
    fleet.onRemove(this::withdrawn);
    RestApi api =
        new RestApi(vertx, fleet, meters, clock, this::missing, settings.history().perTier());
    meters.gauge("dynims.policies.refused", "Errors in documents", () -> fleet.errors().size());
    targets = new TargetFeed(settings.kafka(), this);
    meters.gauge("dynims.kafka.lag.records", "Targets not read yet", targets::lagRecords);
    history = new FleetHistory(settings, clock, fleet, loop, meters::historyDropped);
    vertx.setPeriodic(
        REFRESH_MILLIS,
        timer -> {
          fleet.refresh();
          history.write(role.pushes());
        });
    return followDocuments()
        .compose(
            followed ->
                vertx
                    .createHttpServer()
                    .requestHandler(api.router(vertx))
                    .listen(
                        settings.address().getPort(),
                        settings.address().getAddress().getHostAddress()))
        .onSuccess(server -> http = server);
  }

  private Future<?> followDocuments() {
    if (settings.kubernetes().isPresent()) {
      become(Role.Standby);
      return vertx
          .executeBlocking(() -> Operator.start(settings.kubernetes().get(), clock, new Link()))
          .onSuccess(started -> operator = started);
    }
    become(Role.Leader);
    PolicyFiles files = new PolicyFiles(settings.policies());
    var unusedFuture =
        filesThread.scheduleWithFixedDelay(
            () -> look(files), 0, settings.policiesPollMillis(), MILLISECONDS);
    return Future.succeededFuture();
  }

  /** The operator's way in: everything else happens on the event loop. */
  private final class Link implements FleetLink {

    @Override
    public void follow(PolicySet set) {
      loop.runOnContext(ignored -> Controller.this.follow(new PolicyFiles.Result(set, true)));
    }

    @Override
    public void become(Role next) {
      loop.runOnContext(ignored -> Controller.this.become(next));
    }

    @Override
    public CompletionStage<List<TierView>> tiers() {
      Promise<List<TierView>> views = Promise.promise();
      loop.runOnContext(
          ignored -> views.complete(fleet.tiers().stream().map(fleet::view).toList()));
      return views.future().toCompletionStage();
    }
  }

  private void become(Role next) {
    role = next;
    pusher.pushing(role.pushes());
    if (role == Role.Leader) {
      publishPolicies();
    } else {
      publisher.pause();
    }
  }

  int httpPort() {
    return http.actualPort();
  }

  @Override
  public void targets(List<Target> batch) throws InterruptedException {
    FleetHistory.take(loop, () -> batch.forEach(this::target));
  }

  private void target(Target target) {
    LOG.debug(() -> LogLine.of("decision", target));
    if (fleet.decided(target)) {
      meters.decided(target);
      pusher.offer(target);
    } else {
      meters.targetUnclaimed();
    }
  }

  @Override
  public void malformed() {
    meters.targetMalformed();
  }

  @Override
  public void pushed(Tier tier, Target target, TierReply reply, long tookNanos) {
    meters.pushed(reply.status(), tookNanos);
    if (reply.status() != AckStatus.Failed) {
      meters.inForce(clock.millis() - target.sampledMillis());
    }
    fleet.answered(tier, reply, true);
  }

  @Override
  public void asked(Tier tier, TierReply reply) {
    fleet.answered(tier, reply, false);
  }

  @Override
  public void ack(Ack ack) {
    LOG.debug(() -> LogLine.of("ack", ack));
    if (role.pushes()) {
      acks.send(ack);
    }
  }

  /** Nobody claims the tier any more. */
  private void withdrawn(Tier tier) {
    pusher.forget(tier.key());
    if (role.pushes()) {
      release(tier.policy(), tier.document().adapter());
    }
  }

  /** Nobody claimed the tier any more while no controller ran. */
  private void orphaned(Policy policy) {
    loop.runOnContext(
        ignored -> {
          if (operator != null) {
            release(policy, operator.adapter(policy.node()).orElse(null));
          }
        });
  }

  private void release(Policy policy, URI adapter) {
    if (policy.onDelete() == OnDelete.Release && adapter != null) {
      pusher.release(policy.key(), adapter);
    }
  }

  @Override
  public void released(TierKey key, boolean done) {
    if (operator != null) {
      operator.released(key, done);
    }
  }

  private void look(PolicyFiles files) {
    try {
      PolicyFiles.Result found = files.scan();
      loop.runOnContext(ignored -> follow(found));
    } catch (RuntimeException e) {
      LOG.error("the policy documents cannot be read and are tried again", e);
    }
  }

  private void follow(PolicyFiles.Result found) {
    if (found.equals(documents)) {
      return;
    }
    documents = found;
    List<?> known = fleet.errors();
    found.set().errors().stream()
        .filter(error -> !known.contains(error))
        .forEach(error -> LOG.warn("refused: {}", error));
    fleet.follow(found.set());
    fleet.tiers().forEach(pusher::follow);
    history.read();
    LOG.info(
        "{} tiers, {} errors in {}",
        found.set().tiers().size(),
        found.set().errors().size(),
        source());
  }

  private String source() {
    return settings.kubernetes().isPresent()
        ? "the MemoryTiers of the cluster"
        : settings.policies().toString();
  }

  private void publishPolicies() {
    if (documents.everRead() && role == Role.Leader) {
      publisher.publish(fleet.policies(), fleet.tiers().stream().map(Tier::key).toList());
    }
  }

  private List<String> missing() {
    List<String> missing = new ArrayList<>();
    if (!publisher.failure().isEmpty()) {
      missing.add("Kafka: " + publisher.failure());
    } else if (!targets.following()) {
      missing.add("Kafka: the topic of targets is not being read yet");
    }
    if (operator != null && !operator.missing().isEmpty()) {
      missing.add("Kubernetes: " + String.join("; ", operator.missing()));
    } else if (!documents.everRead()) {
      missing.add("policies: " + source() + " was not read yet" + why());
    } else if (operator == null
        && documents.set().tiers().isEmpty()
        && !documents.set().errors().isEmpty()) {
      missing.add("policies: every document was refused; GET /api/v1/policies tells why");
    } else if (role == Role.Leader && !publisher.upToDate()) {
      missing.add("policies: not published yet");
    }
    return missing;
  }

  private String why() {
    return fleet.errors().isEmpty() ? "" : ": " + fleet.errors().get(0).reason();
  }

  @Override
  public Future<?> stop() {
    filesThread.shutdownNow();
    return vertx.executeBlocking(
        () -> {
          if (operator != null) {
            operator.close();
          }
          targets.close();
          history.close();
          publisher.close();
          acks.close();
          return null;
        });
  }
}
