package io.dynims.operator;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.dynims.core.wire.TierKey;
import io.dynims.policy.PolicyRegistry;
import io.dynims.policy.PolicySet;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.URI;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Feeds the fleet from a cluster: whenever a MemoryTier, a node or an agent changes, all
 * MemoryTiers are read anew into one policy for each node. What it tells the API server, the {@link
 * Reporter} does on a thread of its own; the push loop waits for neither.
 */
public final class Operator implements AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(Operator.class);
  private static final long GATHER_MILLIS = 20;
  private static final int REQUEST_TIMEOUT_MILLIS = 5_000;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "operator"));
  private final AtomicBoolean scheduled = new AtomicBoolean();
  private final PolicyRegistry book = new PolicyRegistry();
  private final Set<String> sources = new HashSet<>();
  private final KubernetesClient client;
  private final FleetLink fleet;
  private final ClusterView cluster;
  private final Reporter reporter;
  private final Leadership leadership;
  private volatile boolean derived;
  private volatile Map<String, URI> adapters = Map.of();

  /**
   * Starts to watch, as a standby.
   *
   * @throws IOException when the settings are of no use; an API server that is away is awaited
   */
  public static Operator start(KubernetesSettings settings, Clock clock, FleetLink fleet)
      throws IOException {
    try {
      return new Operator(settings, clock, fleet);
    } catch (KubernetesClientException e) {
      throw new IOException("the Kubernetes API cannot be used: " + e.getMessage(), e);
    }
  }

  private Operator(KubernetesSettings settings, Clock clock, FleetLink fleet) {
    this.fleet = fleet;
    client = new KubernetesClientBuilder().withConfig(config(settings)).build();
    LOG.info("the API server is {}", client.getMasterUrl());
    reporter = new Reporter(client, settings.identity(), clock, fleet);
    cluster = new ClusterView(client, settings, this::changed);
    leadership = new Leadership(client, settings, this::become);
    leadership.start();
  }

  private static Config config(KubernetesSettings settings) {
    Config found =
        settings
            .config()
            .map(f -> Config.fromKubeconfig(f.toFile()))
            .orElseGet(() -> Config.autoConfigure(null));
    return new ConfigBuilder(found)
        .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
        .withConnectionTimeout(REQUEST_TIMEOUT_MILLIS)
        .withRequestRetryBackoffLimit(0)
        .build();
  }

  private void become(Role role) {
    fleet.become(role);
    reporter.become(role);
  }

  /** What is still to come before anything can be in force; empty if nothing is. */
  public List<String> missing() {
    List<String> missing = cluster.missing();
    return missing.isEmpty() && !derived ? List.of("MemoryTiers were not read yet") : missing;
  }

  /** The address of an adapter on the node, whether or not a MemoryTier claims it. */
  public Optional<URI> adapter(String node) {
    return Optional.ofNullable(adapters.get(node));
  }

  /** Tells that a tier that nobody claims any more got its greatest capacity, or could not. */
  public void released(TierKey key, boolean done) {
    reporter.released(key, done);
  }

  /** Changes come in bursts; one reading serves all of them. */
  private void changed() {
    if (scheduled.compareAndSet(false, true)) {
      try {
        var unusedFuture = thread.schedule(this::derive, GATHER_MILLIS, MILLISECONDS);
      } catch (RejectedExecutionException e) {
        LOG.debug("not read any more: shutting down");
      }
    }
  }

  private void derive() {
    scheduled.set(false);
    if (!cluster.missing().isEmpty()) {
      return;
    }
    try {
      List<Claim> claims = cluster.claims();
      PolicySet set = read(claims);
      adapters = cluster.adapters();
      reporter.follow(claims, set);
      fleet.follow(set);
      derived = true;
    } catch (RuntimeException e) {
      LOG.error("the MemoryTiers cannot be read; what was in force stays", e);
    }
  }

  private PolicySet read(List<Claim> claims) {
    Set<String> now = new HashSet<>();
    for (Claim claim : claims) {
      String source = claim.document().id();
      now.add(source);
      if (claim.error() == null) {
        book.put(source, claim.document().content(), claim.nodes());
      } else {
        book.refuse(source, claim.error(), claim.nodes());
      }
    }
    sources.removeAll(now);
    sources.forEach(book::remove);
    sources.clear();
    sources.addAll(now);
    return book.read();
  }

  @Override
  public void close() {
    thread.shutdownNow();
    leadership.close();
    reporter.close();
    cluster.close();
    client.close();
  }
}
