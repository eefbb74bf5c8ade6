package io.dynims.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.local.FreePorts;
import io.dynims.local.JavaCommand;
import io.dynims.local.LocalAuthority;
import io.dynims.runtime.tls.TlsFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import kafka.tools.StorageTool;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;

/**
 * A Kafka broker in a process of its own that asks for credentials over TLS (SCRAM-SHA-512, and
 * PLAIN for agents) and enforces access control lists: those of {@code dist/kafka/acls.csv} and no
 * others.
 */
public final class SecureBroker implements AutoCloseable {

  private static final Path KAFKA = Path.of("..", "dist", "kafka").toAbsolutePath().normalize();
  private static final List<String> ROLES = List.of("agent", "controller", "job");
  private static final long START_SECONDS = 240;

  private final Path folder;
  private final Path authorities;
  private final int clientPort;
  private final int adminPort;
  private final Process process;

  /**
   * Starts it; returns when it answers and the lists are in force. Tests run in their module's
   * folder.
   *
   * @param folder for its files, empty
   */
  public SecureBroker(Path folder) throws Exception {
    this.folder = folder;
    Map<String, Integer> ports = FreePorts.forKeys(List.of("clients", "admin", "controller"));
    clientPort = ports.get("clients");
    adminPort = ports.get("admin");
    LocalAuthority authority = new LocalAuthority(folder, "kafka", 1);
    authorities = authority.authorities();
    TlsFiles.Paths certificate = authority.issue("broker");
    Path keystore = folder.resolve("broker.pem");
    Files.writeString(
        keystore,
        Files.readString(certificate.key().orElseThrow())
            + Files.readString(certificate.certificate().orElseThrow()));
    Path config = folder.resolve("server.properties");
    Files.writeString(config, config(keystore, ports.get("controller")));
    List<String> format =
        new ArrayList<>(
            List.of("format", "--cluster-id=AAAAAAAAAAAAAAAAAAAAAQ", "--config=" + config));
    for (String role : ROLES) {
      format.add("--add-scram");
      format.add("SCRAM-SHA-512=[name=%s,password=%s]".formatted(user(role), password(role)));
    }
    var formatted = new ByteArrayOutputStream();
    if (StorageTool.execute(format.toArray(String[]::new), new PrintStream(formatted, true, UTF_8))
        != 0) {
      throw new IOException(formatted.toString(UTF_8));
    }
    process = start(List.of("kafka.Kafka", config.toString()));
    try (Admin admin = admin()) {
      admin.describeCluster().nodes().get(START_SECONDS, TimeUnit.SECONDS);
      admin.createAcls(lists()).all().get();
    } catch (ExecutionException e) {
      close();
      throw new IOException(log(), e);
    }
  }

  private String config(Path keystore, int controllerPort) {
    return """
        process.roles=broker,controller
        node.id=1
        controller.quorum.voters=1@127.0.0.1:%3$d
        listeners=CLIENTS://127.0.0.1:%1$d,ADMIN://127.0.0.1:%2$d,CONTROLLER://127.0.0.1:%3$d
        advertised.listeners=CLIENTS://localhost:%1$d,ADMIN://127.0.0.1:%2$d
        listener.security.protocol.map=CLIENTS:SASL_SSL,ADMIN:PLAINTEXT,CONTROLLER:PLAINTEXT
        controller.listener.names=CONTROLLER
        inter.broker.listener.name=ADMIN
        log.dirs=%4$s
        ssl.keystore.type=PEM
        ssl.keystore.location=%5$s
        listener.name.clients.sasl.enabled.mechanisms=SCRAM-SHA-512,PLAIN
        listener.name.clients.scram-sha-512.sasl.jaas.config=\
        org.apache.kafka.common.security.scram.ScramLoginModule required;
        listener.name.clients.plain.sasl.jaas.config=\
        org.apache.kafka.common.security.plain.PlainLoginModule required user_%6$s="%7$s";
        authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer
        super.users=User:ANONYMOUS
        auto.create.topics.enable=false
        offsets.topic.replication.factor=1
        offsets.topic.num.partitions=1
        group.initial.rebalance.delay.ms=0
        """
        .formatted(
            clientPort,
            adminPort,
            controllerPort,
            folder.resolve("log"),
            keystore,
            user("agent"),
            password("agent"));
  }

  private Process start(List<String> program) throws IOException {
    List<String> command =
        JavaCommand.light(
            "-Xmx256m", "-Djava.io.tmpdir=" + folder, "-cp", KAFKA.resolve("target/lib") + "/*");
    command.addAll(program);
    Process started =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(folder.resolve("kafka.log").toFile()))
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(started::destroyForcibly, "end-kafka"));
    return started;
  }

  private static List<AclBinding> lists() throws IOException {
    List<AclBinding> lists = new ArrayList<>();
    for (String line : Files.readAllLines(KAFKA.resolve("acls.csv"))) {
      if (line.startsWith("#")) {
        continue;
      }
      String[] cells = line.split(",", -1);
      for (String operation : cells[3].split(" ", -1)) {
        lists.add(
            new AclBinding(
                new ResourcePattern(
                    ResourceType.fromString(cells[1].replace('-', '_')),
                    cells[2],
                    PatternType.LITERAL),
                new AccessControlEntry(
                    "User:" + user(cells[0]),
                    "*",
                    AclOperation.fromString(operation),
                    AclPermissionType.ALLOW)));
      }
    }
    return lists;
  }

  /** A client that may do everything. */
  public Admin admin() {
    return Admin.create(
        Map.of(
            "bootstrap.servers",
            adminBootstrapServers(),
            "default.api.timeout.ms",
            Long.toString(TimeUnit.SECONDS.toMillis(START_SECONDS))));
  }

  /** Where clients need no credentials and may do everything. */
  public String adminBootstrapServers() {
    return "127.0.0.1:" + adminPort;
  }

  /** Where clients need credentials. */
  public String bootstrapServers() {
    return "localhost:" + clientPort;
  }

  /** What a Java client of a role needs. */
  public Map<String, Object> properties(String role) {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", bootstrapServers());
    properties.put("security.protocol", "SASL_SSL");
    properties.put("sasl.mechanism", "SCRAM-SHA-512");
    properties.put(
        "sasl.jaas.config",
        "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"%s\""
                .formatted(user(role))
            + " password=\"%s\";".formatted(password(role)));
    properties.put("ssl.truststore.type", "PEM");
    properties.put("ssl.truststore.location", authorities.toString());
    return properties;
  }

  /** What librdkafka needs as an agent, for {@code --properties-file}. */
  public Path librdkafkaProperties() throws IOException {
    Properties properties = new Properties();
    properties.put("security.protocol", "sasl_ssl");
    // Kafka 4 refuses the SCRAM of librdkafka before 2.6.1.
    properties.put("sasl.mechanism", "PLAIN");
    properties.put("sasl.username", user("agent"));
    properties.put("sasl.password", password("agent"));
    properties.put("ssl.ca.location", authorities.toString());
    StringBuilder text = new StringBuilder();
    properties.forEach((key, value) -> text.append(key).append('=').append(value).append('\n'));
    return Files.writeString(folder.resolve("librdkafka.properties"), text, UTF_8);
  }

  private static String user(String role) {
    return "dynims-" + role;
  }

  private static String password(String role) {
    return "password-of-" + role;
  }

  private String log() throws IOException {
    return Files.readString(folder.resolve("kafka.log"));
  }

  @Override
  public void close() throws InterruptedException {
    process.destroy();
    if (!process.waitFor(Duration.ofSeconds(10).toMillis(), TimeUnit.MILLISECONDS)) {
      process.destroyForcibly();
      process.waitFor();
    }
  }
}
