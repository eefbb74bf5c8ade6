package io.dynims.controller;

import io.dynims.controller.fleet.Fleet.HistoryBound;
import io.dynims.controller.kafka.KafkaSettings;
import io.dynims.controller.push.PushSettings;
import io.dynims.core.config.Config;
import io.dynims.core.config.ConfigException;
import io.dynims.core.loop.PushGate;
import io.dynims.operator.KubernetesSettings;
import io.dynims.tier.TierRequest;
import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Collectors;

/** The settings of {@code controller.properties}, checked. */
record ControllerSettings(
    InetSocketAddress address,
    KafkaSettings kafka,
    Path policies,
    long policiesPollMillis,
    boolean policiesCheck,
    Optional<KubernetesSettings> kubernetes,
    PushSettings push,
    HistoryBound history) {

  private static final long MAX_WAIT_MILLIS = 60_000;
  private static final long MAX_LINGER_MILLIS = 100;
  private static final double MAX_TOLERANCE = 0.01;

  /**
   * Reads and checks them.
   *
   * @throws ConfigException naming every setting that cannot be used
   */
  static ControllerSettings read(Config config) throws ConfigException {
    var settings =
        new ControllerSettings(
            config.address("http.address"),
            new KafkaSettings(
                config.required("kafka.bootstrap.servers"),
                kafkaClient(config),
                (int) Math.min(config.millis("kafka.linger"), MAX_LINGER_MILLIS + 1),
                config.number("kafka.topics.partitions", 1, 10_000),
                config.number("kafka.topics.replication", 1, 100)),
            Path.of(config.required("policies.path")),
            millis(config, "policies.poll", MAX_WAIT_MILLIS),
            config.flag("policies.check"),
            kubernetes(config),
            new PushSettings(
                millis(config, "push.timeout", MAX_WAIT_MILLIS),
                millis(config, "push.idle", MAX_WAIT_MILLIS),
                new PushGate.Settings(
                    millis(config, "push.lease", TierRequest.MAX_LEASE_MILLIS),
                    config.millis("push.held"),
                    config.ratio("push.tolerance"))),
            new HistoryBound(
                config.number("history.per.tier", 1, 1_000_000),
                config.number("history.in.all", 1, 100_000_000)));
    if (settings.address().isUnresolved()) {
      config.reject("http.address", "the host cannot be resolved");
    }
    if (settings.kafka().lingerMillis() > MAX_LINGER_MILLIS) {
      config.reject("kafka.linger", "is more than " + MAX_LINGER_MILLIS + " ms");
    }
    if (settings.push().gate().tolerance() > MAX_TOLERANCE) {
      config.reject("push.tolerance", "is more than 1%");
    }
    if (settings.push().gate().heldMillis() > settings.push().gate().leaseMillis() / 2) {
      config.reject("push.held", "is more than half of push.lease");
    }
    config.check();
    return settings;
  }

  private static Optional<KubernetesSettings> kubernetes(Config config) throws ConfigException {
    if (!config.flag("kubernetes.enabled")) {
      return Optional.empty();
    }
    String identity = config.text("kubernetes.identity");
    return Optional.of(
        new KubernetesSettings(
            config.path("kubernetes.config"),
            config.required("kubernetes.namespace"),
            config.text("kubernetes.watch.namespace"),
            config.required("kubernetes.lease"),
            identity.isEmpty() ? hostAndPid() : identity,
            config.required("kubernetes.agents.selector")));
  }

  private static String hostAndPid() {
    String host = System.getenv("HOSTNAME");
    return (host == null ? "controller" : host) + "-" + ProcessHandle.current().pid();
  }

  private static long millis(Config config, String key, long max) {
    long millis = config.millis(key);
    if (millis < 1 || millis > max) {
      config.reject(key, millis + " ms is not from 1 to " + max + " ms");
    }
    return millis;
  }

  private static Map<String, String> kafkaClient(Config config) {
    Properties properties = new Properties();
    config
        .path("kafka.client.properties")
        .ifPresent(
            file -> {
              try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
              } catch (IOException | IllegalArgumentException e) {
                config.reject("kafka.client.properties", "cannot read " + file + ": " + e);
              }
            });
    return properties.stringPropertyNames().stream()
        .collect(Collectors.toMap(key -> key, properties::getProperty));
  }
}
