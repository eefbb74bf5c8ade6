package io.dynims.cli.doctor;

import io.dynims.core.wire.Topics;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.common.acl.AclOperation;

/**
 * The topics of DynIMS, as a client's credentials show them.
 *
 * @param refused why the brokers refuse the credentials; empty if they accept them
 * @param topics what was found, by name
 * @param missing the names of topics that do not exist
 */
record KafkaFacts(Optional<String> refused, Map<String, Topic> topics, List<String> missing) {

  static final List<String> TOPICS =
      List.of(Topics.METRICS, Topics.POLICIES, Topics.TARGETS, Topics.ACKS, Topics.HISTORY);

  /**
   * A topic.
   *
   * @param leaderless partitions that nobody can write to or read now
   * @param cleanupPolicy empty if the credentials may not see it
   * @param newestMillis the time of the newest record; 0 if there is none, empty if the credentials
   *     may not see it
   * @param operations what the credentials may do with it
   */
  record Topic(
      int partitions,
      int leaderless,
      Optional<String> cleanupPolicy,
      OptionalLong newestMillis,
      Set<AclOperation> operations) {}
}
