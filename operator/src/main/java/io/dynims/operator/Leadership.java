package io.dynims.operator;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Consumer;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Elects the replica that pushes, with a Lease. A leader that cannot renew the Lease because the
 * API server is down does not become a standby: it continues as an unconfirmed leader until it sees
 * another holder. Two replicas that push at once do no harm, because both push the same absolute
 * values in the order of their samples; having none would.
 */
final class Leadership implements AutoCloseable {

  // A standby takes over 2 s after a crash plus the time to its next retry, 0.8 to 1.8 s.
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Duration RENEW_DEADLINE = Duration.ofMillis(1_800);
  private static final Duration RETRY = Duration.ofMillis(800);
  private static final long NEXT_TERM_MILLIS = 200;

  private static final Logger LOG = LogManager.getLogger(Leadership.class);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "leadership"));
  private final KubernetesClient client;
  private final KubernetesSettings settings;
  private final Consumer<Role> onChange;
  private Role role = Role.Standby;
  private boolean closed;
  private CompletableFuture<?> term;

  /** Starts as a standby; calls back on every change of the role. */
  Leadership(KubernetesClient client, KubernetesSettings settings, Consumer<Role> onChange) {
    this.client = client;
    this.settings = settings;
    this.onChange = onChange;
  }

  /** Takes part in elections from now on. */
  void start() {
    nextTerm();
  }

  private synchronized void nextTerm() {
    if (closed) {
      return;
    }
    var lock = new LeaseLock(settings.namespace(), settings.lease(), settings.identity());
    var callbacks = new LeaderCallbacks(this::acquired, this::lost, this::holderSeen);
    term =
        client
            .leaderElector()
            .withConfig(
                new LeaderElectionConfig(
                    lock, LEASE, RENEW_DEADLINE, RETRY, callbacks, true, settings.lease()))
            .build()
            .start();
    var unusedFuture = term.whenComplete((ended, failure) -> scheduleNextTerm());
  }

  private void scheduleNextTerm() {
    try {
      var unusedFuture = thread.schedule(this::nextTerm, NEXT_TERM_MILLIS, MILLISECONDS);
    } catch (RejectedExecutionException e) {
      LOG.debug("not taking part in elections any more: shutting down");
    }
  }

  void acquired() {
    changeRole(Role.Leader, "holds the Lease");
  }

  synchronized void lost() {
    if (role == Role.Leader && !closed) {
      changeRole(
          Role.UnconfirmedLeader,
          "could not renew the Lease, continues until another replica holds it");
    }
  }

  void holderSeen(String holder) {
    if (holder != null && !holder.isEmpty() && !holder.equals(settings.identity())) {
      changeRole(Role.Standby, holder + " holds the Lease");
    }
  }

  private synchronized void changeRole(Role next, String reason) {
    if (role != next) {
      LOG.info("{} is {}: {}", settings.identity(), next, reason);
      role = next;
      onChange.accept(next);
    }
  }

  /** Releases the Lease, so that a standby need not wait until it expires. */
  @Override
  public void close() {
    CompletableFuture<?> last;
    synchronized (this) {
      closed = true;
      last = term;
    }
    thread.shutdownNow();
    if (last != null) {
      last.cancel(true);
    }
  }
}
