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

/** Writes the status and events of each MemoryTier, as the leader and on its own thread. */
final class Reporter implements AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(Reporter.class);
  private static final long REPORT_MILLIS = 500;
  private static final long FLEET_TIMEOUT_SECONDS = 2;

  /** The claims and policies that were read last. */
  private record Cluster(List<Claim> claims, PolicySet set) {}

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "reporter"));
  private final FleetLink fleet;
  private final Clock clock;
  private final StatusWriter statuses;
  private final StatusDebounce debounce = new StatusDebounce();
  private final EventWriter events;
  private final EventDiffer differ;
  private volatile Cluster cluster;
  private volatile Role role = Role.Standby;
  private boolean failing;

  Reporter(KubernetesClient client, String identity, Clock clock, FleetLink fleet) {
    this.fleet = fleet;
    this.clock = clock;
    this.statuses = new StatusWriter(client);
    this.events = new EventWriter(client, identity, clock);
    this.differ = new EventDiffer(events);
    var unusedFuture =
        thread.scheduleWithFixedDelay(this::reportAll, REPORT_MILLIS, REPORT_MILLIS, MILLISECONDS);
  }

  void update(List<Claim> claims, PolicySet set) {
    cluster = new Cluster(claims, set);
  }

  void changeRole(Role next) {
    role = next;
  }

  /** Reports that an unclaimed tier has its full capacity again, or could not be reached. */
  void released(TierKey key, boolean succeeded) {
    differ.released(key, succeeded);
  }

  private void reportAll() {
    try {
      if (role == Role.Leader) {
        if (cluster != null) {
          report(cluster);
        }
      } else {
        statuses.clear();
      }
      if (role == Role.Standby) {
        differ.clear();
        events.clear();
      }
      failing = false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      logFailure(e);
    }
  }

  private void logFailure(Exception e) {
    if (!failing) {
      failing = true;
      LOG.warn("cannot write status and events, retrying: {}", e.toString());
    }
  }

  private void report(Cluster now)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<String, List<TierView>> byNode =
        fleet.tiers().toCompletableFuture().get(FLEET_TIMEOUT_SECONDS, SECONDS).stream()
            .collect(Collectors.groupingBy(TierView::node));
    Map<TierKey, NodePolicySpec> documents =
        now.set().tiers().stream()
            .collect(Collectors.toMap(NodePolicySpec::key, Function.identity()));
    Set<String> uids = new HashSet<>();
    KubernetesClientException rejected = null;
    for (Claim claim : now.claims()) {
      uids.add(claim.document().uid());
      try {
        write(report(claim, byNode, documents, now.set().errors()));
      } catch (KubernetesClientException e) {
        if (!EventWriter.isRejected(e)) {
          throw e;
        }
        // One rejected status must not prevent the others from being written.
        rejected = e;
      }
    }
    statuses.retain(uids);
    debounce.retain(uids);
    differ.retain(uids);
    differ.reportReleases();
    events.flush();
    if (rejected != null) {
      throw rejected;
    }
  }

  private static StatusReport report(
      Claim claim,
      Map<String, List<TierView>> byNode,
      Map<TierKey, NodePolicySpec> documents,
      List<PolicyError> allErrors) {
    TierDocument document = claim.document();
    List<TierView> tiers =
        claim.nodes().stream()
            .flatMap(node -> byNode.getOrDefault(node.name(), List.of()).stream())
            .filter(tier -> tier.tier().equals(document.name()))
            .toList();
    List<NodePolicySpec> specs =
        claim.nodes().stream()
            .map(node -> documents.get(new TierKey(node.name(), document.name())))
            .filter(Objects::nonNull)
            .toList();
    Optional<NodePolicySpec> inForce = specs.stream().findFirst();
    List<String> errors =
        allErrors.stream()
            .filter(error -> error.file().equals(document.id()))
            .map(error -> error.field() + (error.field().isEmpty() ? "" : ": ") + error.reason())
            .toList();
    boolean valid = errors.isEmpty();
    return new StatusReport(
        claim,
        tiers,
        inForce.map(NodePolicySpec::documentMode).orElseGet(() -> valid ? document.mode() : null),
        inForce.map(NodePolicySpec::documentPaused).orElseGet(() -> valid && document.paused()),
        specs.stream().anyMatch(NodePolicySpec::isOverruled),
        errors);
  }

  private void write(StatusReport report) {
    TierDocument document = report.claim().document();
    differ.report(report);
    long nowNanos = System.nanoTime();
    MemoryTierStatus last = statuses.last(document);
    long reported =
        last == null || last.observedGeneration() == null ? 0 : last.observedGeneration();
    if (statuses.isDue(document.uid(), nowNanos)
        && debounce.isDue(document, reported, !report.isConverging(), nowNanos)) {
      statuses.write(document, report.status(last, clock.instant()), nowNanos);
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
