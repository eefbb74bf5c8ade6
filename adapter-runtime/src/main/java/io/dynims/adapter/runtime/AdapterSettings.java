package io.dynims.adapter.runtime;

import io.dynims.runtime.auth.TokenFile;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.tls.TlsFiles;
import io.dynims.tier.TierAccess;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings that every adapter has, checked; {@code adapter.properties} documents them, and the
 * adapter's own file those of its tier.
 *
 * @param http where the Tier API listens
 * @param access who may call it
 * @param tier the tier's name in the Tier API
 * @param minBytes the smallest capacity to accept
 * @param maxBytes the largest capacity; empty for what the store is configured with
 * @param nodeMemoryBytes the node's memory; empty for that of the machine or control group
 * @param stateFile where to save the desired capacity; empty not to
 * @param node this node's name in policies
 * @param memoryGroup which control group is the node: {@link #MACHINE}, {@link #GROUP_ABOVE} or a
 *     group's folder
 * @param groupRoot where the host's control groups are mounted
 * @param longestHintMillis for how long a hint may hold
 */
public record AdapterSettings(
    InetSocketAddress http,
    TierAccess access,
    String tier,
    long minBytes,
    Optional<Long> maxBytes,
    Optional<Long> nodeMemoryBytes,
    Optional<Path> stateFile,
    String node,
    String memoryGroup,
    Path groupRoot,
    long longestHintMillis) {

  /** The node is this machine, whatever control group the adapter is in. */
  static final String MACHINE = "/";

  /** The node is the group above the adapter's own. */
  static final String GROUP_ABOVE = "..";

  /** The setting of an adapter without tokens. */
  private static final String ANYONE = "none";

  /** Java's own way asks the name service for an address, too, which may not be up yet. */
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private static final Path GROUPS = Path.of("/sys/fs/cgroup");
  private static final long MAX_HINT_MILLIS = 86_400_000;

  /** The text that documents these settings, followed by that of an adapter's own. */
  public static String documented(String own) {
    return Config.resource(AdapterSettings.class, "adapter.properties") + "\n" + own;
  }

  /** Reads the settings; rejects those that cannot be used. */
  static AdapterSettings read(Config config) {
    AdapterSettings settings =
        new AdapterSettings(
            config.address("http.address"),
            access(config),
            config.required("tier.name"),
            config.bytes("tier.min"),
            config.optionalBytes("tier.max"),
            config.optionalBytes("memory.total"),
            config.path("state.file").map(Path::toAbsolutePath),
            node(config),
            config.required("node.memory.group"),
            config.path("cgroup.root").map(Path::toAbsolutePath).orElse(GROUPS),
            config.millis("hints.longest"));
    if (settings.maxBytes.isPresent() && settings.maxBytes.get() < settings.minBytes) {
      config.reject("tier.max", settings.maxBytes.get() + " bytes is below tier.min");
    }
    if (settings.longestHintMillis < 1 || settings.longestHintMillis > MAX_HINT_MILLIS) {
      config.reject("hints.longest", settings.longestHintMillis + " ms is not from 1 ms to 24 h");
    }
    if (!config.text("cgroup.root").isEmpty() && !settings.memoryGroup.equals(GROUP_ABOVE)) {
      config.reject("cgroup.root", "counts for node.memory.group=.. only");
    }
    return settings;
  }

  private static TierAccess access(Config config) {
    String key = "http.token.file";
    Optional<String> controller = controller(config);
    boolean anyone = config.text(key).equals(ANYONE);
    if (config.text(key).isEmpty() && controller.isEmpty()) {
      config.reject(key, "is required: a file with the controller's token, or none");
    } else if (anyone && controller.isPresent()) {
      config.reject(key, "none lets anyone resize the tier, whatever http.tls.client.name is");
    }
    Optional<TokenFile> tokens = anyone ? Optional.empty() : TokenFile.read(config, key);
    return new TierAccess(tokens, TlsFiles.readServer(config, "http.tls"), controller);
  }

  private static Optional<String> controller(Config config) {
    String key = "http.tls.client.name";
    if (config.text(key).isEmpty()) {
      return Optional.empty();
    }
    if (config.text("http.tls.ca").isEmpty()) {
      config.reject(key, "needs http.tls.ca, the authorities of that certificate");
    }
    return Optional.of(config.text(key));
  }

  private static String node(Config config) {
    String given = config.text("node.name");
    if (!given.isEmpty()) {
      return given;
    }
    try {
      return Files.readString(HOST_NAME).strip();
    } catch (IOException e) {
      config.reject("node.name", "is empty, and this machine's name is unknown: " + e.getMessage());
      return "";
    }
  }
}
