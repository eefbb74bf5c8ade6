package io.dynims.testing;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.function.Predicate;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;
import org.apache.kafka.common.utils.Exit;

/**
 * One real Kafka broker in this process, on loopback, on a port that it keeps when it is stopped
 * and started again. The only class that uses Kafka's own test kit, whose API is not stable.
 */
public final class KafkaBroker implements AutoCloseable {

  private static final int BROKER_ID = 0;
  private static final String NEWEST = "newest";
  private static final Duration TIMEOUT = Duration.ofMinutes(1);
  private static KafkaBroker shared;

  private final KafkaClusterTestKit cluster;

  /** Stored, because a stopped broker no longer reports it. */
  private String bootstrapServers;

  private KafkaBroker(KafkaClusterTestKit cluster) {
    this.cluster = cluster;
  }

  /** Starts a broker with an empty log and returns when it is ready. */
  public static KafkaBroker start() throws Exception {
    // A broker whose folder is gone halts its process, and at the end of the JVM one hook deletes
    // the folder while another stops the broker.
    Exit.setHaltProcedure(
        (status, message) -> {
          throw new IllegalStateException("Kafka wants to halt with " + status + ": " + message);
        });
    TestKitNodes nodes =
        new TestKitNodes.Builder().setNumBrokerNodes(1).setNumControllerNodes(1).build();
    KafkaClusterTestKit cluster =
        new KafkaClusterTestKit.Builder(nodes)
            .setConfigProp("auto.create.topics.enable", "false")
            .setConfigProp("offsets.topic.num.partitions", "1")
            .setConfigProp("offsets.topic.replication.factor", "1")
            .setConfigProp("transaction.state.log.replication.factor", "1")
            .setConfigProp("transaction.state.log.min.isr", "1")
            .setConfigProp("transaction.state.log.num.partitions", "1")
            .setConfigProp("group.initial.rebalance.delay.ms", "0")
            .build();
    KafkaBroker broker = new KafkaBroker(cluster);
    try {
      cluster.format();
      cluster.startup();
      cluster.waitForReadyBrokers();
      broker.bootstrapServers = cluster.bootstrapServers();
      return broker;
    } catch (Exception e) {
      broker.close();
      throw e;
    }
  }

  /**
   * The broker that the tests of this JVM share, one after the other, without the topics of the one
   * before: for those that do not stop it. It ends with the JVM.
   */
  public static synchronized KafkaBroker shared() throws Exception {
    if (shared == null) {
      shared = start();
      Runtime.getRuntime().addShutdownHook(new Thread(KafkaBroker::closeShared, "end-kafka"));
    }
    try (Admin admin = shared.admin()) {
      deleteTopics(admin);
    }
    return shared;
  }

  /**
   * A broker lists a topic some time after whoever made it was told so, and learns of topics in the
   * order in which they were made: once it lists one that was made now, it lists all.
   */
  private static void deleteTopics(Admin admin) throws Exception {
    admin.createTopics(List.of(new NewTopic(NEWEST, 1, (short) 1))).all().get();
    awaitTopics(admin, listed -> listed.contains(NEWEST));
    admin.deleteTopics(admin.listTopics().names().get()).all().get();
    awaitTopics(admin, Set::isEmpty);
  }

  private static void awaitTopics(Admin admin, Predicate<Set<String>> wanted) throws Exception {
    long begin = System.nanoTime();
    Set<String> listed = admin.listTopics().names().get();
    while (!wanted.test(listed)) {
      if (System.nanoTime() - begin > TIMEOUT.toNanos()) {
        throw new IllegalStateException(
            "does what the test before started go on? Topics: " + listed);
      }
      listed = admin.listTopics().names().get();
    }
  }

  private static void closeShared() {
    try {
      shared.cluster.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /** The {@code bootstrap.servers} for clients. */
  public String bootstrapServers() {
    return bootstrapServers;
  }

  /** Creates a topic and returns when it exists. */
  public void createTopic(String name, int partitions, Map<String, String> configs)
      throws InterruptedException, ExecutionException {
    try (Admin admin = admin()) {
      NewTopic topic = new NewTopic(name, partitions, (short) 1).configs(configs);
      admin.createTopics(List.of(topic)).all().get();
    }
  }

  /** An administration client; the caller closes it. */
  public Admin admin() {
    return Admin.create(Map.of("bootstrap.servers", bootstrapServers));
  }

  /** Stops the broker and keeps its log. */
  public void stop() {
    cluster.brokers().get(BROKER_ID).shutdown();
    cluster.brokers().get(BROKER_ID).awaitShutdown();
  }

  /** Starts a stopped broker on the same port. */
  public void restart() throws ExecutionException, InterruptedException {
    cluster.brokers().get(BROKER_ID).startup();
    cluster.waitForReadyBrokers();
  }

  /** Stops the broker and deletes its log, unless it is shared. */
  @Override
  public void close() throws Exception {
    if (!isShared()) {
      cluster.close();
    }
  }

  private boolean isShared() {
    synchronized (KafkaBroker.class) {
      return this == shared;
    }
  }
}
