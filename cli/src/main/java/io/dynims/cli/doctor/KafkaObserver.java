package io.dynims.cli.doctor;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.ClientDnsLookup;
import org.apache.kafka.clients.ClientUtils;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.DescribeTopicsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Asks the brokers for the topics; changes nothing, and reads no record. */
final class KafkaObserver {

  private final Admin admin;
  private final Map<String, KafkaFacts.Topic> topics = new TreeMap<>();
  private final List<String> missing = new ArrayList<>();

  private KafkaObserver(Admin admin) {
    this.admin = admin;
  }

  /**
   * Asks the brokers.
   *
   * @throws IOException if they do not answer
   */
  static KafkaFacts read(String bootstrap, DoctorOptions options)
      throws IOException, InterruptedException {
    if (isRefused(bootstrap, options.timeout())) {
      throw new IOException(
          "the brokers at %s do not answer: nothing listens".formatted(bootstrap));
    }
    Map<String, Object> properties = new HashMap<>(options.targets().kafkaProperties());
    String millis = Long.toString(options.timeout().toMillis());
    properties.put(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG, bootstrap);
    properties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, millis);
    properties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, millis);
    Admin admin;
    try {
      admin = Admin.create(properties);
    } catch (KafkaException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IOException("no client of %s: %s".formatted(bootstrap, cause.getMessage()), e);
    }
    try {
      return new KafkaObserver(admin).read();
    } catch (ExecutionException e) {
      if (e.getCause() instanceof AuthenticationException) {
        return new KafkaFacts(Optional.of(e.getCause().getMessage()), Map.of(), List.of());
      }
      throw new IOException(
          "the brokers at %s do not answer: %s".formatted(bootstrap, e.getCause().getMessage()), e);
    } finally {
      admin.close(Duration.ZERO);
    }
  }

  /** Whether no broker's port is open: the client would try again until its time is up. */
  private static boolean isRefused(String bootstrap, Duration timeout) {
    List<InetSocketAddress> addresses;
    try {
      addresses =
          ClientUtils.parseAndValidateAddresses(
              List.of(bootstrap.split(",")), ClientDnsLookup.USE_ALL_DNS_IPS);
    } catch (KafkaException e) {
      return false;
    }
    for (InetSocketAddress address : addresses) {
      try (Socket socket = new Socket()) {
        socket.connect(address, Math.toIntExact(timeout.toMillis()));
        return false;
      } catch (ConnectException e) {
        // The next one may answer.
      } catch (IOException e) {
        return false;
      }
    }
    return true;
  }

  private KafkaFacts read() throws ExecutionException, InterruptedException {
    var described =
        admin
            .describeTopics(
                KafkaFacts.TOPICS, new DescribeTopicsOptions().includeAuthorizedOperations(true))
            .topicNameValues();
    for (Map.Entry<String, KafkaFuture<TopicDescription>> each : described.entrySet()) {
      try {
        topics.put(each.getKey(), topic(each.getKey(), each.getValue().get()));
      } catch (ExecutionException e) {
        if (e.getCause() instanceof UnknownTopicOrPartitionException) {
          missing.add(each.getKey());
        } else if (!(e.getCause() instanceof AuthorizationException)) {
          throw e;
        }
      }
    }
    return new KafkaFacts(Optional.empty(), topics, List.copyOf(missing));
  }

  private KafkaFacts.Topic topic(String name, TopicDescription description)
      throws ExecutionException, InterruptedException {
    List<TopicPartitionInfo> partitions = description.partitions();
    List<TopicPartitionInfo> led = partitions.stream().filter(KafkaObserver::isLed).toList();
    return new KafkaFacts.Topic(
        partitions.size(),
        partitions.size() - led.size(),
        cleanupPolicy(name),
        newestMillis(name, led),
        description.authorizedOperations() == null ? Set.of() : description.authorizedOperations());
  }

  private static boolean isLed(TopicPartitionInfo partition) {
    return partition.leader() != null && !partition.leader().isEmpty();
  }

  private Optional<String> cleanupPolicy(String topic)
      throws ExecutionException, InterruptedException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try {
      Config config = admin.describeConfigs(List.of(resource)).all().get().get(resource);
      return Optional.ofNullable(config.get(TopicConfig.CLEANUP_POLICY_CONFIG))
          .map(entry -> entry.value());
    } catch (ExecutionException e) {
      return ignoringRights(e, Optional.empty());
    }
  }

  private OptionalLong newestMillis(String topic, List<TopicPartitionInfo> led)
      throws ExecutionException, InterruptedException {
    Map<TopicPartition, OffsetSpec> newest = new HashMap<>();
    led.forEach(
        partition ->
            newest.put(
                new TopicPartition(topic, partition.partition()), OffsetSpec.maxTimestamp()));
    try {
      return OptionalLong.of(
          admin.listOffsets(newest).all().get().values().stream()
              .mapToLong(ListOffsetsResultInfo::timestamp)
              .filter(millis -> millis > 0)
              .max()
              .orElse(0));
    } catch (ExecutionException e) {
      return ignoringRights(e, OptionalLong.empty());
    }
  }

  private static <T> T ignoringRights(ExecutionException e, T otherwise) throws ExecutionException {
    if (e.getCause() instanceof AuthorizationException) {
      return otherwise;
    }
    throw e;
  }
}
