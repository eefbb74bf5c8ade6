package io.dynims.controller;

import io.dynims.controller.kafka.TargetFeed;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Tells what the controller still lacks to do its work. For the event loop. */
final class Readiness {

  private final PolicySource source;
  private final PolicySync policies;
  private final TargetFeed targets;

  Readiness(PolicySource source, PolicySync policies, TargetFeed targets) {
    this.source = source;
    this.policies = policies;
    this.targets = targets;
  }

  /** What is missing, one sentence each; empty if the controller is ready. */
  List<String> missing() {
    return Stream.of(kafka(), policies()).flatMap(Optional::stream).toList();
  }

  private Optional<String> kafka() {
    if (!policies.kafkaFailure().isEmpty()) {
      return Optional.of("Kafka: " + policies.kafkaFailure());
    }
    return targets.reading()
        ? Optional.empty()
        : Optional.of("Kafka: the target topic is not being read yet");
  }

  private Optional<String> policies() {
    Optional<String> unread = source.missing(policies.latest());
    return unread.isPresent() || policies.published()
        ? unread
        : Optional.of("policies: not published yet");
  }
}
