package io.dynims.controller;

import io.dynims.controller.api.PageLinks;
import io.dynims.controller.api.RestAccess;
import io.dynims.controller.fleet.HistoryBound;
import io.dynims.controller.kafka.KafkaLease;
import io.dynims.controller.kafka.KafkaSettings;
import io.dynims.controller.push.AdapterTls;
import io.dynims.controller.push.PushSettings;
import io.dynims.core.gate.PushGate;
import io.dynims.operator.KubernetesSettings;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ConfigException;
import io.dynims.runtime.tls.TlsFiles;
import io.dynims.tier.TierRequest;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The validated settings of {@code controller.properties}. */
record ControllerSettings(
    InetSocketAddress address,
    RestAccess access,
    PageLinks links,
    KafkaSettings kafka,
    List<Path> policies,
    long policiesPollMillis,
    long withdrawalDelayMillis,
    boolean policiesCheck,
    Optional<KubernetesSettings> kubernetes,
    Optional<String> kafkaLeaseName,
    boolean share,
    String member,
    PushSettings push,
    HistoryBound history) {

  private static final long MAX_WAIT_MILLIS = 60_000;
  private static final long MAX_WITHDRAWAL_DELAY_MILLIS = 86_400_000;
  private static final double MAX_TOLERANCE = 0.01;

  /**
   * Reads and validates the settings.
   *
   * @throws ConfigException naming every invalid setting
   */
  static ControllerSettings read(Config config) throws ConfigException {
    var settings =
        new ControllerSettings(
            config.address("http.address"),
            new RestAccess(
                TokenFile.read(config, "http.token.file"),
                TokenFile.read(config, "http.hints.token.file"),
                TlsFiles.readServer(config, "http.tls")),
            PageLinks.read(config),
            new KafkaSettings(
                config.required("kafka.bootstrap.servers"),
                config.properties("kafka.properties"),
                (int) millis(config, "kafka.linger", 0, KafkaSettings.MAX_LINGER_MILLIS),
                config.number("kafka.topics.partitions", 1, 10_000),
                config.number("kafka.topics.replication", 1, 100)),
            paths(config.required("policies.path")),
            millis(config, "policies.poll", 1, MAX_WAIT_MILLIS),
            millis(config, "policies.withdrawal.delay", 0, MAX_WITHDRAWAL_DELAY_MILLIS),
            config.flag("policies.check"),
            kubernetes(config),
            optional(config, "kafka.lease"),
            config.flag("controllers.share"),
            newMember(),
            new PushSettings(
                millis(config, "push.timeout", 1, MAX_WAIT_MILLIS),
                millis(config, "push.idle", 1, MAX_WAIT_MILLIS),
                new PushGate.Settings(
                    millis(config, "push.lease", 1, TierRequest.MAX_LEASE_MILLIS),
                    config.millis("push.held"),
                    config.ratio("push.tolerance")),
                TokenFile.read(config, "push.token.file"),
                AdapterTls.of(
                    TlsFiles.read(config, "push.tls"), optional(config, "push.tls.server.name"))),
            new HistoryBound(
                config.number("history.per.tier", 1, 1_000_000),
                config.number("history.in.all", 1, 100_000_000)));
    if (settings.address().isUnresolved()) {
      config.reject("http.address", "the host cannot be resolved");
    }
    if (settings.kubernetes().isPresent() && settings.kafkaLeaseName().isPresent()) {
      config.reject("kafka.lease", "is for policy files; kubernetes.lease is the one in use");
    }
    if (settings.share()
        && settings.kubernetes().isEmpty()
        && settings.kafkaLeaseName().isEmpty()) {
      config.reject("controllers.share", "needs kafka.lease, whose holder publishes the policies");
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

  private static List<Path> paths(String text) {
    return Stream.of(text.split(",", -1)).map(String::strip).map(Path::of).toList();
  }

  private static Optional<String> optional(Config config, String key) {
    String text = config.text(key);
    return text.isEmpty() ? Optional.empty() : Optional.of(text);
  }

  /** The lease that this replica shares with others; empty if it is the only one. */
  Optional<KafkaLease> kafkaLease() {
    return kafkaLeaseName.map(name -> new KafkaLease(kafka, name, member));
  }

  /**
   * The name of this run of the program, also unlike that of one on a host of the same name with
   * the same process id.
   */
  private static String newMember() {
    int run = new SecureRandom().nextInt(Integer.MAX_VALUE);
    String name = hostAndPid() + "-" + Integer.toHexString(run);
    return name.replaceAll("[^A-Za-z0-9._-]", "-");
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
            namespaces(config),
            config.required("kubernetes.lease"),
            identity.isEmpty() ? hostAndPid() : identity,
            config.required("kubernetes.agents.selector"),
            config.flag("kubernetes.pods.hints")));
  }

  /** The namespaces to watch; empty for all. */
  private static List<String> namespaces(Config config) {
    String key = "kubernetes.watch.namespace";
    if (config.text(key).isEmpty()) {
      return List.of();
    }
    List<String> namespaces =
        Stream.of(config.text(key).split(",", -1)).map(String::strip).distinct().toList();
    if (namespaces.contains("")) {
      config.reject(key, "'" + config.text(key) + "' has an empty name between its commas");
    }
    return namespaces;
  }

  private static String hostAndPid() {
    String host = System.getenv("HOSTNAME");
    return (host == null ? kernelHostName() : host) + "-" + ProcessHandle.current().pid();
  }

  /** A unit of systemd has no HOSTNAME. */
  private static String kernelHostName() {
    try {
      return Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    } catch (IOException e) {
      return "controller";
    }
  }

  /** Reads a duration within bounds; rejects any other, and then returns the nearest bound. */
  private static long millis(Config config, String key, long min, long max) {
    long millis = config.millis(key);
    if (millis < min || millis > max) {
      config.reject(key, millis + " ms is not from " + min + " to " + max + " ms");
    }
    return Math.max(min, Math.min(max, millis));
  }
}
