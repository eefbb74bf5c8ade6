package io.dynims.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpServer;
import io.dynims.cli.TierStatuses;
import io.dynims.runtime.auth.TokenFile;
import io.dynims.runtime.config.BuildVersion;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.ServerMetrics;
import io.dynims.tier.StateFile;
import io.dynims.tier.StoreUnavailableException;
import io.dynims.tier.TierAccess;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierReply;
import io.dynims.tier.TierRequest;
import io.dynims.tier.TierServer;
import io.dynims.tier.TierStatus;
import io.dynims.tier.TierStore;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A healthy node, with a real Tier API, and a controller and an Alluxio that answer what is written
 * here; a test changes what it likes before {@link #examine}.
 */
final class SampleNode implements AutoCloseable {

  static final long GIBIBYTE = 1L << 30;
  static final String NODE = "node-1";
  private static final String TOKEN = "the-token-of-the-sample-node";
  private static final long LEASE_MILLIS = 60_000;
  private static final ObjectMapper JSON = new ObjectMapper();

  long maxBytes = GIBIBYTE;
  long workerBytes = GIBIBYTE;
  long memoryBytes = 8 * GIBIBYTE;
  long adapterMemoryBytes = 8 * GIBIBYTE;

  /** What the policy allows the node; 0 for all. */
  long budgetBytes;

  long swapBytes;
  String fileSystem = "tmpfs";
  String mountOptions = "rw,huge=within_size";
  String adapterNode = NODE;
  long foreignChanges;
  boolean isLeased = true;
  boolean isTokenAskedFor = true;

  /** The token that the examiner has, if it is another than the adapter's. */
  String otherToken = "";

  boolean isStoreAway;
  int readiness = 200;
  int tiersStatus = 200;
  long sampleAgeMillis = 40;
  long controllerAheadMillis;

  /** How far the examiner's clock is behind everybody's. */
  long behindMillis;

  String controllerVersion = BuildVersion.text();

  boolean isControllerNamed = true;

  /** A folder beside the tier's that is a file system of its own; null for none. */
  Path nestedMount;

  /** Null for where the fixture's own server is. */
  URI adapter;

  URI controller;
  final ObjectNode tier = JSON.createObjectNode();
  final ArrayNode tiers = JSON.createArrayNode();
  final ObjectNode policy = JSON.createObjectNode();
  final ArrayNode errors = JSON.createArrayNode();
  final ArrayNode warnings = JSON.createArrayNode();
  final ObjectNode worker = JSON.createObjectNode();
  final ObjectNode master = JSON.createObjectNode();
  final Path token;
  final Path tierFolder;
  private final Path folder;
  private final TokenFile tokens;
  private TierServer adapterServer;
  private HttpServer others;

  SampleNode(Path folder) throws IOException {
    this.folder = folder.toRealPath();
    token = this.folder.resolve("token");
    Files.writeString(token, TOKEN);
    Files.setPosixFilePermissions(token, PosixFilePermissions.fromString("rw-------"));
    tokens = TokenFile.open(token);
    tierFolder = Files.createDirectories(this.folder.resolve("tier/alluxioworker"));
    tier.put("node", NODE).put("tier", "memory").put("mode", "Enforce").put("state", "Enforcing");
    tier.put("threshold", 0.95);
    tiers.add(tier);
    policy.put("node", NODE).put("tier", "memory").put("mode", "Enforce").put("threshold", 0.95);
    policy
        .put("maxBytes", GIBIBYTE)
        .put("intervalMillis", LEASE_MILLIS / 3)
        .put("staleAfterMillis", 2_000);
    worker.put("alluxio.user.block.size.bytes.default", "16MB");
    worker.put("alluxio.user.short.circuit.enabled", "true");
    worker.put("alluxio.worker.tieredstore.levels", "1");
    worker.put(
        "alluxio.worker.block.annotator.class", "alluxio.worker.block.annotator.LRUAnnotator");
    worker.put("alluxio.worker.data.tmp.subdir.max", "1");
    worker.put("alluxio.worker.network.netty.worker.threads", "16");
    worker.put("alluxio.worker.block.heartbeat.interval", "100ms");
    master.put("alluxio.master.update.check.enabled", "false");
  }

  /** Starts everything as it is described now, and examines it. */
  List<Diagnosis> examine(Duration timeout) throws Exception {
    start();
    URI own = URI.create("http://127.0.0.1:" + others.getAddress().getPort());
    DoctorTargets targets =
        new DoctorTargets(
            Optional.of(NODE),
            Optional.of(adapter == null ? adapterServer.uri() : adapter),
            Optional.of(token()),
            isControllerNamed
                ? Optional.of(controller == null ? own : controller)
                : Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Map.of(),
            Optional.empty(),
            Optional.of(tierFolder),
            Optional.of(own),
            Optional.of(own),
            Optional.of(folder));
    Path root = folder.resolve("root");
    Clock clock = Clock.offset(Clock.systemUTC(), Duration.ofMillis(-behindMillis));
    return new Doctor(new DoctorOptions(targets, false, root, root, clock, timeout))
        .run(each -> {});
  }

  /** What the adapter tells of the tier. */
  TierStatus status() throws StoreUnavailableException {
    return adapterServer.status();
  }

  private Path token() throws IOException {
    if (otherToken.isEmpty()) {
      return token;
    }
    Path other = Files.writeString(folder.resolve("other-token"), otherToken);
    return Files.setPosixFilePermissions(other, PosixFilePermissions.fromString("rw-------"));
  }

  private void start() throws Exception {
    writeKernelFiles();
    InMemoryTierStore store = new InMemoryTierStore("memory", 0, maxBytes);
    store.setAway(isStoreAway);
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    adapterServer =
        TierServer.start(
            any,
            new StoreOnNode(store, adapterMemoryBytes),
            new GuardSettings(adapterNode, Optional.empty(), StateFile.open(Optional.empty())),
            isTokenAskedFor ? TierAccess.holdersOf(tokens) : TierAccess.anyone(),
            Optional.of(metrics()));
    if (isLeased && !isStoreAway) {
      long sampledMillis = System.currentTimeMillis();
      TierReply reply =
          new TierClient(adapterServer.uri(), Optional.of(TOKEN), Optional.empty())
              .put(new TierRequest(maxBytes, sampledMillis, LEASE_MILLIS));
      if (reply.tier() == null) {
        throw new IllegalStateException(reply.message());
      }
    }
    others = HttpServer.create(any, 0);
    others.createContext(
        "/",
        exchange -> {
          String path = exchange.getRequestURI().getPath();
          byte[] body = body(path).getBytes(UTF_8);
          exchange.sendResponseHeaders(status(path), body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    others.start();
  }

  private int status(String path) {
    return switch (path) {
      case "/readyz" -> readiness;
      case "/api/v1/tiers" -> tiersStatus;
      default -> 200;
    };
  }

  private String body(String path) {
    return switch (path) {
      case "/readyz" -> "{\"detail\":\"Kafka is away\"}";
      case "/api/v1/tiers" -> tiers();
      case "/api/v1/policies" ->
          JSON.createObjectNode()
              .<ObjectNode>set("policies", JSON.createArrayNode().add(policy))
              .<ObjectNode>set("errors", errors)
              .<ObjectNode>set("warnings", warnings)
              .toString();
      case "/metrics" -> buildInfo(controllerVersion);
      case "/api/v1/worker/info" -> info(worker);
      case "/api/v1/master/info" -> info(master);
      default -> "{}";
    };
  }

  private String tiers() {
    long nowMillis = System.currentTimeMillis() + controllerAheadMillis;
    tier.put("sampledMillis", nowMillis - sampleAgeMillis).put("ageMillis", sampleAgeMillis);
    tier.put("memoryTotalBytes", memoryBytes);
    if (budgetBytes != 0) {
      policy.put("memoryBudgetBytes", budgetBytes);
    }
    return JSON.createObjectNode().<ObjectNode>set("tiers", tiers).toString();
  }

  private String info(ObjectNode configuration) {
    ObjectNode info = JSON.createObjectNode();
    info.set("configuration", configuration);
    info.putObject("capacity").put("total", workerBytes);
    return info.toString();
  }

  private static String buildInfo(String version) {
    return "# TYPE dynims_build info\ndynims_build_info{version=\"%s\"} 1\n".formatted(version);
  }

  private ServerMetrics metrics() {
    return new ServerMetrics() {
      @Override
      public String contentType() {
        return "text/plain";
      }

      @Override
      public String scrape() {
        return buildInfo(BuildVersion.text())
            + "dynims_adapter_foreign_changes_total{tier=\"memory\"} %d.0\n"
                .formatted(foreignChanges);
      }

      @Override
      public void resized(int status, long durationNanos) {}
    };
  }

  private void writeKernelFiles() throws IOException {
    write(
        "proc/meminfo",
        "MemTotal: %d kB\nMemAvailable: %d kB\nSwapTotal: %d kB\n"
            .formatted(memoryBytes / 1024, memoryBytes / 2048, swapBytes / 1024));
    write(
        "proc/self/mounts",
        "/dev/root / ext4 rw 0 0\nnone %s %s %s 0 0\n"
                .formatted(tierFolder.getParent(), fileSystem, mountOptions)
            + (nestedMount == null ? "" : "other %s nfs rw 0 0\n".formatted(nestedMount)));
    write(
        "sys/kernel/mm/transparent_hugepage/shmem_enabled",
        "always within_size advise [never] deny force\n");
  }

  private void write(String name, String text) throws IOException {
    Path file = folder.resolve("root").resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  @Override
  public void close() {
    if (adapterServer != null) {
      adapterServer.close();
    }
    if (others != null) {
      others.stop(0);
    }
    tokens.close();
  }

  /** A store that knows its node's memory. */
  private record StoreOnNode(TierStore store, long nodeMemoryBytes) implements TierStore {

    @Override
    public TierStatus status() throws StoreUnavailableException {
      return onNode(store.status());
    }

    @Override
    public TierStatus resize(long desiredBytes) throws StoreUnavailableException {
      return onNode(store.resize(desiredBytes));
    }

    private TierStatus onNode(TierStatus status) {
      return TierStatuses.withMemory(status, nodeMemoryBytes, status.residentBytes());
    }
  }
}
