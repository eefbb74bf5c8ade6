package io.dynims.controller;

import io.dynims.controller.fleet.Fleet;
import io.dynims.controller.push.HintSender;
import io.dynims.controller.push.PushSettings;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.TierKey;
import io.dynims.core.wire.TierView;
import io.dynims.operator.FleetLink;
import io.dynims.operator.KubernetesSettings;
import io.dynims.operator.Operator;
import io.dynims.operator.Role;
import io.dynims.policy.PolicySet;
import io.dynims.policy.files.PolicyFiles;
import io.dynims.tier.HintRequest;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import java.net.URI;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/** Gets policies and the replica's role from the operator, and shows it the fleet. */
final class ClusterPolicies implements PolicySource {

  private final Vertx vertx;
  private final KubernetesSettings settings;
  private final Clock clock;
  private final Fleet fleet;
  private final EventLoop loop;
  private final HintSender hints;
  private volatile Operator operator;

  ClusterPolicies(
      Vertx vertx,
      KubernetesSettings settings,
      PushSettings adapters,
      Clock clock,
      Fleet fleet,
      EventLoop loop) {
    this.vertx = vertx;
    this.settings = settings;
    this.clock = clock;
    this.fleet = fleet;
    this.loop = loop;
    this.hints = new HintSender(vertx, adapters);
  }

  @Override
  public Role initialRole() {
    return Role.Standby;
  }

  @Override
  public Future<?> start(Listener listener) {
    return vertx
        .executeBlocking(() -> Operator.start(settings, clock, new Link(listener)))
        .onSuccess(started -> operator = started);
  }

  private final class Link implements FleetLink {

    private final Listener listener;

    Link(Listener listener) {
      this.listener = listener;
    }

    @Override
    public void applyPolicies(PolicySet set) {
      listener.policiesRead(new PolicyFiles.Result(set, true));
    }

    @Override
    public void changeRole(Role role) {
      listener.roleChanged(role);
    }

    @Override
    public CompletionStage<?> giveHint(String node, Hint hint) {
      HintRequest request =
          new HintRequest(
              node, hint.owner(), hint.bytes(), hint.startMillis(), hint.expiresMillis());
      return loop.submit(() -> hints.give(adapters(node), request))
          .compose(kept -> kept)
          .toCompletionStage();
    }

    @Override
    public CompletionStage<?> withdrawHint(String node, String owner) {
      return loop.submit(() -> hints.withdraw(adapters(node), owner))
          .compose(withdrawn -> withdrawn)
          .toCompletionStage();
    }

    private List<URI> adapters(String node) {
      List<URI> adapters = fleet.adapters(node);
      if (adapters.isEmpty()) {
        throw new IllegalStateException("no adapter of the node is known");
      }
      return adapters;
    }

    @Override
    public CompletionStage<List<TierView>> tiers() {
      return loop.submit(fleet::views).toCompletionStage();
    }
  }

  @Override
  public Optional<String> missing(PolicyFiles.Result latest) {
    if (operator != null && !operator.missing().isEmpty()) {
      return Optional.of("Kubernetes: " + String.join("; ", operator.missing()));
    }
    return latest.everRead()
        ? Optional.empty()
        : Optional.of("policies: " + this + " have not been read yet");
  }

  @Override
  public Optional<URI> adapter(String node) {
    return operator == null ? Optional.empty() : operator.adapter(node);
  }

  @Override
  public void released(TierKey key, boolean succeeded) {
    if (operator != null) {
      operator.released(key, succeeded);
    }
  }

  @Override
  public String toString() {
    return "the MemoryTiers of the cluster";
  }

  @Override
  public void close() {
    if (operator != null) {
      operator.close();
    }
  }
}
