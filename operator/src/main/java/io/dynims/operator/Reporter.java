package io.dynims.operator;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierView;
import io.dynims.operator.v1alpha1.MemoryTierStatus;
import io.dynims.policy.NodePolicySpec;
import io.dynims.policy.PolicyError;
import io.dynims.policy.PolicySet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Tells the API server how it stands with each MemoryTier: as the leader, on its own thread. */
final class Reporter implements AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(Reporter.class);
  private static final long ROUND_MILLIS = 500;
  private static final long FLEET_SECONDS = 2;

  /** What was read of the cluster last. */
  private record Seen(List<Claim> claims, PolicySet set) {}

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "reporter"));
  private final FleetLink fleet;
  private final Clock clock;
  private final StatusWriter statuses;
  private final StatusDebounce settling = new StatusDebounce();
  private final EventWriter events;
  private final EventDiffer chronicle;
  private volatile Seen seen;
  private volatile Role role = Role.Standby;
  private boolean failing;

  Reporter(KubernetesClient client, String identity, Clock clock, FleetLink fleet) {
    this.fleet = fleet;
    this.clock = clock;
    this.statuses = new StatusWriter(client);
    this.events = new EventWriter(client, identity, clock);
    this.chronicle = new EventDiffer(events);
    var unusedFuture =
        thread.scheduleWithFixedDelay(this::round, ROUND_MILLIS, ROUND_MILLIS, MILLISECONDS);
  }

  void follow(List<Claim> claims, PolicySet set) {
    seen = new Seen(claims, set);
  }

  void become(Role next) {
    role = next;
  }

  /** A tier that nobody claims any more got its greatest capacity, or could not be told to. */
  void released(TierKey key, boolean done) {
    chronicle.released(key, done);
  }

  private void round() {
    try {
      if (role == Role.Leader) {
        if (seen != null) {
          report(seen);
        }
      } else {
        statuses.forget();
      }
      if (role == Role.Standby) {
        chronicle.forget();
        events.forget();
      }
      failing = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      complain(e);
    }
  }

  private void complain(Exception e) {
    if (!failing) {
      failing = true;
      LOG.warn("status and events cannot be written, trying again: {}", e.toString());
    }
  }

  private void report(Seen now) throws InterruptedException, ExecutionException, TimeoutException {
    Map<String, List<TierView>> byNode =
        fleet.tiers().toCompletableFuture().get(FLEET_SECONDS, SECONDS).stream()
            .collect(Collectors.groupingBy(TierView::node));
    Map<String, NodePolicySpec> documents =
        now.set().tiers().stream()
            .collect(Collectors.toMap(t -> t.key().node(), Function.identity(), (a, b) -> a));
    Set<String> uids = new HashSet<>();
    KubernetesClientException refused = null;
    for (Claim claim : now.claims()) {
      uids.add(claim.document().uid());
      try {
        write(report(claim, byNode, documents, now.set().errors()));
      } catch (KubernetesClientException e) {
        if (!EventWriter.refused(e)) {
          throw e;
        }
        // One status that is refused must not keep the others from being written.
        refused = e;
      }
    }
    statuses.keep(uids);
    settling.keep(uids);
    chronicle.keep(uids);
    chronicle.tellReleases();
    events.flush();
    if (refused != null) {
      throw refused;
    }
  }

  private static StatusReport report(
      Claim claim,
      Map<String, List<TierView>> byNode,
      Map<String, NodePolicySpec> documents,
      List<PolicyError> allErrors) {
    TierDocument document = claim.document();
    List<TierView> tiers =
        claim.nodes().stream()
            .flatMap(node -> byNode.getOrDefault(node.name(), List.of()).stream())
            .filter(tier -> tier.tier().equals(document.name()))
            .toList();
    Optional<NodePolicySpec> inForce =
        claim.nodes().stream()
            .map(node -> documents.get(node.name()))
            .filter(Objects::nonNull)
            .findFirst();
    List<String> errors =
        allErrors.stream()
            .filter(error -> error.file().equals(document.id()))
            .map(error -> error.field() + (error.field().isEmpty() ? "" : ": ") + error.reason())
            .toList();
    boolean good = errors.isEmpty();
    return new StatusReport(
        claim,
        tiers,
        inForce.map(NodePolicySpec::mode).orElseGet(() -> good ? document.mode() : null),
        inForce.map(NodePolicySpec::paused).orElseGet(() -> good && document.paused()),
        errors);
  }

  private void write(StatusReport report) {
    TierDocument document = report.claim().document();
    chronicle.follow(report);
    long nowNanos = System.nanoTime();
    MemoryTierStatus last = statuses.last(document);
    long told = last == null || last.observedGeneration() == null ? 0 : last.observedGeneration();
    if (statuses.due(document.uid(), nowNanos)
        && settling.isOver(document, told, !report.isComingUp(), nowNanos)) {
      statuses.write(document, report.status(last, clock.instant()), nowNanos);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
