package io.dynims.controller;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.dynims.controller.kafka.KafkaLease;
import io.dynims.core.wire.TierKey;
import io.dynims.operator.Role;
import io.dynims.policy.PolicyError;
import io.dynims.policy.files.PolicyFiles;
import io.vertx.core.Future;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Collectors;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Polls policy files on its own thread. A replica without a lease is the only one, and leads. */
final class FilePolicies implements PolicySource {

  private static final Logger LOG = LogManager.getLogger(FilePolicies.class);

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "policy-files"));
  private final List<Path> paths;
  private final long pollMillis;
  private final Optional<KafkaLease> lease;

  FilePolicies(List<Path> paths, long pollMillis, Optional<KafkaLease> lease) {
    this.paths = paths;
    this.pollMillis = pollMillis;
    this.lease = lease;
  }

  @Override
  public Role initialRole() {
    return lease.isPresent() ? Role.Standby : Role.Leader;
  }

  @Override
  public Future<?> start(Listener listener) {
    PolicyFiles files = new PolicyFiles(paths);
    lease.ifPresent(each -> each.start(listener::roleChanged));
    var unusedFuture =
        thread.scheduleWithFixedDelay(() -> poll(files, listener), 0, pollMillis, MILLISECONDS);
    return Future.succeededFuture();
  }

  private static void poll(PolicyFiles files, Listener listener) {
    try {
      listener.policiesRead(files.scan());
    } catch (RuntimeException e) {
      LOG.error("cannot read the policy files, retrying", e);
    }
  }

  @Override
  public Optional<String> missing(PolicyFiles.Result latest) {
    List<PolicyError> errors = latest.set().errors();
    if (!latest.everRead()) {
      String reason = errors.isEmpty() ? "" : ": " + errors.get(0).reason();
      return Optional.of("policies: " + this + " has not been read yet" + reason);
    }
    return latest.set().tiers().isEmpty() && !errors.isEmpty()
        ? Optional.of("policies: all documents were rejected, see GET /api/v1/policies")
        : Optional.empty();
  }

  @Override
  public Optional<URI> adapter(String node) {
    return Optional.empty();
  }

  @Override
  public void released(TierKey key, boolean succeeded) {
    // The releaser has logged it, and there is nobody else to tell.
  }

  @Override
  public String toString() {
    return paths.stream().map(Path::toString).collect(Collectors.joining(", "));
  }

  @Override
  public void close() {
    thread.shutdownNow();
    lease.ifPresent(KafkaLease::close);
  }
}
