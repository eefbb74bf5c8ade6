package io.dynims.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.core.testing.Needs;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/**
 * A real Kubernetes control plane with fake nodes, run by the script {@code cluster} beside this
 * module. One serves all tests of this process, each in namespaces of its own, and ends with it.
 */
public final class Cluster {

  /** The nodes that a cluster starts with: {@code node-1} to {@code node-3}. */
  public static final int NODES = 3;

  /** The project's own folder. */
  public static final Path PROJECT = Path.of("..", "..").toAbsolutePath().normalize();

  private static final Path SCRIPT = PROJECT.resolve("e2e/cluster/cluster");
  private static final Path DEFINITION =
      PROJECT.resolve("charts/dynims/files/memorytiers.dynims.io.yaml");
  private static final int EXIT_PROGRAM_MISSING = 4;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(200);

  private static Cluster shared;

  private final Path home;
  private final Kubectl kubectl;
  private final AtomicInteger names = new AtomicInteger();

  private Cluster(Path home) {
    this.home = home;
    this.kubectl = new Kubectl(program("kubectl"), kubeconfig(), "default");
  }

  /**
   * The cluster of this process. The first call starts it and, if its programs are not in the
   * cache, builds them, which takes about 15 minutes.
   */
  public static synchronized Cluster shared() {
    if (shared == null) {
      Path home = Path.of("target", "cluster").toAbsolutePath();
      long self = ProcessHandle.current().pid();
      Ended started = script(home, "up", "--nodes", "" + NODES, "--while", "" + self);
      Needs.feature(
          Needs.Feature.ClusterPrograms, started.exitCode() != EXIT_PROGRAM_MISSING, started.out());
      started.succeeded();
      Runtime.getRuntime().addShutdownHook(new Thread(() -> script(home, "down")));
      shared = new Cluster(home);
    }
    return shared;
  }

  /** Waits patiently, for conditions that become true even on a slow machine. */
  public static ConditionFactory await() {
    return Awaitility.await().atMost(PATIENCE).pollInterval(POLL);
  }

  /** The administrator's kubectl in namespace {@code default}. */
  public Kubectl kubectl() {
    return kubectl;
  }

  /** The administrator's kubectl in a new namespace; it is named after the given one. */
  public Kubectl newNamespace(String like, String... labels) {
    String name = like + "-" + names.incrementAndGet();
    kubectl.run("create", "namespace", name);
    for (String label : labels) {
      kubectl.run("label", "namespace", name, label);
    }
    // Until the controller manager has created it, pods that need it are refused.
    await().until(() -> kubectl.in(name).succeeds("get", "serviceaccount", "default"));
    return kubectl.in(name);
  }

  public Helm helm() {
    return new Helm(home);
  }

  /** The administrator's kubeconfig. */
  public Path kubeconfig() {
    return home.resolve("kubeconfig");
  }

  /** A program of the cluster, such as kubeconform. */
  public Path program(String name) {
    return home.resolve("bin").resolve(name);
  }

  /** The folder with kubeconform's schemas of the Kubernetes API. */
  public Path schemas() {
    try {
      return program("").toRealPath().resolveSibling("schemas");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Scales to a number of fake nodes, {@code node-1} and so on, all with these labels (KEY=VALUE).
   */
  public void nodes(int count, String... labels) {
    List<String> arguments = new ArrayList<>(List.of("nodes", "" + count));
    for (String label : labels) {
      arguments.addAll(List.of("--label", label));
    }
    script(home, arguments.toArray(String[]::new)).succeeded();
  }

  /** Kills a part, such as {@code apiserver}, and starts it again with the same data. */
  public void restart(String part) {
    script(home, "restart", part).succeeded();
  }

  /** Installs the chart's definition of MemoryTier. */
  public void installDefinition() {
    kubectl.run("apply", "--filename=" + DEFINITION);
    kubectl.run(
        "wait", "--for=condition=Established", "--timeout=120s", "crd/memorytiers.dynims.io");
  }

  /** Removes the definition and with it every MemoryTier. */
  public void removeDefinition() {
    kubectl.run("delete", "crd", "memorytiers.dynims.io", "--ignore-not-found");
  }

  /** A kubeconfig of a service account, as a pod would have it. */
  public Path kubeconfigOf(String namespace, String account) {
    String token = kubectl.in(namespace).run("create", "token", account, "--duration=6h").strip();
    JsonNode config =
        Kubectl.json(kubectl.run("config", "view", "--raw", "--output=json", "--minify"));
    JsonNode server = config.at("/clusters/0/cluster");
    String text =
        """
        apiVersion: v1
        kind: Config
        current-context: account
        clusters: [{name: account, cluster: %s}]
        users: [{name: account, user: {token: %s}}]
        contexts: [{name: account, context: {cluster: account, user: account, namespace: %s}}]
        """
            .formatted(server, token, namespace);
    return privately(home.resolve("conf").resolve(namespace + "." + account), text);
  }

  /** kubectl as a service account, in the account's namespace. */
  public Kubectl kubectlOf(String namespace, String account) {
    return new Kubectl(program("kubectl"), kubeconfigOf(namespace, account), namespace);
  }

  /** The requests of a service account to the API server so far, oldest first. */
  public List<ApiRequest> requestsOf(String namespace, String account) {
    return requests("system:serviceaccount:" + namespace + ":" + account);
  }

  /** The requests of the administrator about MemoryTiers so far, oldest first. */
  public List<ApiRequest> requestsOfAdministrator() {
    return requests("admin");
  }

  private List<ApiRequest> requests(String user) {
    return ApiRequest.read(home.resolve("logs/audit.log"), user);
  }

  private static Path privately(Path file, String text) {
    try {
      Files.deleteIfExists(file);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Runs the script and prints its output as it comes, because a build takes long. */
  private static Ended script(Path home, String... arguments) {
    List<String> command = new ArrayList<>(List.of(SCRIPT.toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--home", home.toString()));
    try {
      Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
      StringBuilder output = new StringBuilder();
      try (BufferedReader reader = process.inputReader(UTF_8)) {
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
          System.out.println(line);
          output.append(line).append('\n');
        }
      }
      return new Ended(command, process.waitFor(), output.toString(), "");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
