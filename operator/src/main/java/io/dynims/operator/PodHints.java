package io.dynims.operator;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Gives what pods announce to their nodes as hints, and withdraws it when a pod ends. Only the
 * leader does. A new leader gives the same hints once more, which changes nothing on the nodes.
 */
final class PodHints implements AutoCloseable {

  private static final Logger LOG = LogManager.getLogger(PodHints.class);
  private static final long RETRY_MILLIS = 2_000;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "pod-hints"));
  private final Clock clock;
  private final FleetLink fleet;
  private final Watched<Pod, PodHint> pods;

  /** What was given, by owner; what follows is for this object's thread only. */
  private final Map<String, PodHint> given = new HashMap<>();

  /** The owners whose failure was logged. */
  private final Set<String> failed = new HashSet<>();

  private Role role = Role.Standby;

  /** Starts to watch the pods of all namespaces that have the label. */
  PodHints(KubernetesClient client, Clock clock, FleetLink fleet) {
    this.clock = clock;
    this.fleet = fleet;
    pods =
        new Watched<>(
            client,
            Pod.class,
            "Pods with hints",
            client.pods().inAnyNamespace().withLabel(Resources.HINT_LABEL).runnableInformer(0),
            Resources::hint,
            () -> execute(this::update));
    var unusedFuture =
        thread.scheduleWithFixedDelay(this::update, RETRY_MILLIS, RETRY_MILLIS, MILLISECONDS);
  }

  void changeRole(Role next) {
    execute(
        () -> {
          role = next;
          given.clear();
          update();
        });
  }

  private void execute(Runnable task) {
    try {
      thread.execute(task);
    } catch (RejectedExecutionException e) {
      LOG.debug("no hints of pods: shutting down");
    }
  }

  private void update() {
    if (!role.pushes()) {
      return;
    }
    long nowMillis = clock.millis();
    Map<String, PodHint> announced =
        pods.values().stream()
            .filter(each -> nowMillis < each.hint().expiresMillis())
            .collect(Collectors.toMap(PodHints::owner, Function.identity()));
    for (PodHint each : List.copyOf(given.values())) {
      if (!announced.containsKey(owner(each))) {
        withdraw(each, nowMillis);
      }
    }
    failed.retainAll(announced.keySet());
    announced.values().stream()
        .filter(each -> !each.equals(given.get(owner(each))))
        .forEach(this::give);
  }

  private void give(PodHint announced) {
    given.put(owner(announced), announced);
    fleet
        .giveHint(announced.node(), announced.hint())
        .whenComplete((kept, failure) -> execute(() -> answered(announced, failure)));
  }

  /** What failed is given again by the next update. */
  private void answered(PodHint announced, Throwable failure) {
    String owner = owner(announced);
    if (failure == null) {
      failed.remove(owner);
      LOG.info(
          "hint of pod {}: {} bytes on {}", announced.pod(), bytes(announced), announced.node());
      return;
    }
    given.remove(owner, announced);
    if (failed.add(owner)) {
      LOG.warn(
          "hint of pod {} on {} was not given, retrying: {}",
          announced.pod(),
          announced.node(),
          failure.getMessage());
    }
  }

  private void withdraw(PodHint ended, long nowMillis) {
    given.remove(owner(ended));
    if (nowMillis < ended.hint().expiresMillis()) {
      fleet
          .withdrawHint(ended.node(), owner(ended))
          .whenComplete((withdrawn, failure) -> logWithdrawn(ended, failure));
    }
  }

  private static void logWithdrawn(PodHint ended, Throwable failure) {
    if (failure == null) {
      LOG.info("hint of pod {} on {}: withdrawn", ended.pod(), ended.node());
    } else {
      LOG.warn(
          "hint of pod {} on {} stays until it expires: {}",
          ended.pod(),
          ended.node(),
          failure.getMessage());
    }
  }

  private static String owner(PodHint announced) {
    return announced.hint().owner();
  }

  private static long bytes(PodHint announced) {
    return announced.hint().bytes();
  }

  @Override
  public void close() {
    thread.shutdownNow();
    pods.close();
  }
}
