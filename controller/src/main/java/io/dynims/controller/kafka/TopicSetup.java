package io.dynims.controller.kafka;

import io.dynims.core.wire.Topics;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/** Creates missing topics; existing topics are not changed. */
final class TopicSetup {

  private static final Logger LOG = LogManager.getLogger(TopicSetup.class);

  /** Samples, targets and acks are useful for seconds; ten minutes leave time for debugging. */
  private static final Map<String, String> SHORT_LIVED =
      Map.of("retention.ms", "600000", "segment.ms", "60000");

  private static final Map<String, String> AN_HOUR =
      Map.of("retention.ms", "3600000", "segment.ms", "600000");

  private static final Map<String, String> COMPACTED =
      Map.of("cleanup.policy", "compact", "min.cleanable.dirty.ratio", "0.1");

  private final KafkaSettings settings;

  TopicSetup(KafkaSettings settings) {
    this.settings = settings;
  }

  /** A broker that answers, and that does not make a topic as it is wanted. */
  static final class RefusedException extends KafkaException {

    private static final long serialVersionUID = 1L;

    private RefusedException(NewTopic topic, Throwable cause) {
      super(
          "the topic %s of %d partitions, %d replicas and %s cannot be made: %s; make it by hand"
              .formatted(
                  topic.name(),
                  topic.numPartitions(),
                  topic.replicationFactor(),
                  topic.configs(),
                  cause.getMessage()),
          cause);
    }
  }

  /**
   * Creates all missing topics and waits until they exist.
   *
   * @throws RefusedException if the broker refuses one, as by a policy, a setting, or rights
   */
  void ensure(Admin admin) throws ExecutionException, InterruptedException {
    Set<String> present = admin.listTopics().names().get();
    List<NewTopic> missing = new ArrayList<>();
    for (String name : List.of(Topics.METRICS, Topics.TARGETS, Topics.ACKS)) {
      missing.add(topic(name, SHORT_LIVED));
    }
    missing.add(topic(Topics.HISTORY, AN_HOUR));
    missing.add(topic(Topics.POLICIES, COMPACTED));
    missing.removeIf(topic -> present.contains(topic.name()));
    for (NewTopic topic : missing) {
      create(admin, topic);
    }
  }

  /** Creates a topic of one partition, over which replicas agree, if it is missing. */
  void ensureSharedLog(Admin admin, String topic) throws ExecutionException, InterruptedException {
    if (!admin.listTopics().names().get().contains(topic)) {
      create(admin, new NewTopic(topic, 1, (short) settings.replication()).configs(SHORT_LIVED));
    }
  }

  private NewTopic topic(String name, Map<String, String> configs) {
    return new NewTopic(name, settings.partitions(), (short) settings.replication())
        .configs(configs);
  }

  private static void create(Admin admin, NewTopic topic)
      throws ExecutionException, InterruptedException {
    try {
      admin.createTopics(List.of(topic)).all().get();
      LOG.info("created topic {} with {} partitions", topic.name(), topic.numPartitions());
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RetriableException) {
        throw e;
      } else if (!(e.getCause() instanceof TopicExistsException)) {
        throw new RefusedException(topic, e.getCause());
      }
    }
  }
}
