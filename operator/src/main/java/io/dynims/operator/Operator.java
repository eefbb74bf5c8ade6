package io.dynims.operator;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.dynims.core.wire.TierKey;
import io.dynims.policy.PolicyRegistry;
import io.dynims.policy.PolicySet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Derives the policies from a cluster: whenever a MemoryTier, a node or an agent changes, it reads
 * all MemoryTiers again into one policy per node. The {@link Reporter} writes status and events on
 * its own thread. The push loop waits for neither.
 */
public final class Operator implements AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(Operator.class);
  private static final long BATCH_MILLIS = 20;

  /** How often claims are read again while time alone may change them. */
  private static final long AGAIN_MILLIS = 5_000;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "operator"));
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private Future<?> again = CompletableFuture.completedFuture(null);
  private final PolicyRegistry registry = new PolicyRegistry();
  private final Set<String> sources = new HashSet<>();
  private final KubernetesClient client;
  private final FleetLink fleet;
  private final ClusterView cluster;
  private final Reporter reporter;
  private final Optional<PodHints> podHints;
  private final Leadership leadership;
  private volatile boolean applied;
  private volatile Map<String, URI> adapters = Map.of();

  /**
   * Starts to watch, as a standby. If the API server is down, it keeps trying to connect.
   *
   * @throws IOException if the settings are invalid
   */
  public static Operator start(KubernetesSettings settings, Clock clock, FleetLink fleet)
      throws IOException {
    try {
      return new Operator(settings, clock, fleet);
    } catch (KubernetesClientException e) {
      throw new IOException("cannot use the Kubernetes API: " + e.getMessage(), e);
    }
  }

  private Operator(KubernetesSettings settings, Clock clock, FleetLink fleet) {
    this.fleet = fleet;
    client = ApiServer.client(settings.config());
    LOG.info("using the API server at {}", client.getMasterUrl());
    reporter = new Reporter(client, settings.identity(), clock, fleet);
    cluster = new ClusterView(client, settings, this::scheduleUpdate, System::nanoTime);
    podHints =
        settings.podHints() ? Optional.of(new PodHints(client, clock, fleet)) : Optional.empty();
    leadership = new Leadership(client, settings, this::changeRole);
    leadership.start();
  }

  private void changeRole(Role role) {
    fleet.changeRole(role);
    reporter.changeRole(role);
    podHints.ifPresent(hints -> hints.changeRole(role));
  }

  /** What is missing before policies can take effect; empty if nothing is. */
  public List<String> missing() {
    List<String> missing = cluster.missing();
    return missing.isEmpty() && !applied ? List.of("MemoryTiers have not been read yet") : missing;
  }

  /** The address of the node's only adapter, whether or not a MemoryTier claims the node. */
  public Optional<URI> adapter(String node) {
    return Optional.ofNullable(adapters.get(node));
  }

  /** Reports that an unclaimed tier has its full capacity again, or could not be reached. */
  public void released(TierKey key, boolean succeeded) {
    reporter.released(key, succeeded);
  }

  /** Schedules one update for all changes of a burst. */
  private void scheduleUpdate() {
    if (scheduled.compareAndSet(false, true)) {
      try {
        var unusedFuture = thread.schedule(this::update, BATCH_MILLIS, MILLISECONDS);
      } catch (RejectedExecutionException e) {
        LOG.debug("not updating policies: shutting down");
      }
    }
  }

  private void update() {
    scheduled.set(false);
    if (!cluster.missing().isEmpty()) {
      return;
    }
    try {
      List<Claim> claims = cluster.claims();
      PolicySet set = read(claims);
      adapters = cluster.onlyAdapters();
      reporter.update(claims, set);
      fleet.applyPolicies(set);
      applied = true;
      if (cluster.isWaitingForPods() && again.isDone()) {
        again = thread.schedule(this::scheduleUpdate, AGAIN_MILLIS, MILLISECONDS);
      }
    } catch (RuntimeException e) {
      LOG.error("cannot read the MemoryTiers; the current policies stay in effect", e);
    }
  }

  private PolicySet read(List<Claim> claims) {
    Set<String> now = new HashSet<>();
    for (Claim claim : claims) {
      String source = claim.document().id();
      now.add(source);
      if (claim.error() == null) {
        registry.put(source, claim.document().content(), claim.nodes());
      } else {
        registry.refuse(source, claim.error(), claim.nodes());
      }
    }
    sources.removeAll(now);
    sources.forEach(registry::remove);
    sources.clear();
    sources.addAll(now);
    return registry.read(claims.stream().map(claim -> claim.document().id()).toList());
  }

  @Override
  public void close() {
    thread.shutdownNow();
    leadership.close();
    podHints.ifPresent(PodHints::close);
    reporter.close();
    cluster.close();
    client.close();
  }
}
