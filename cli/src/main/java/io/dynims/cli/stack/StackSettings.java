package io.dynims.cli.stack;

import io.dynims.core.law.LawType;
import io.dynims.core.quantity.Quantities;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ConfigException;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;

/**
 * The settings of a local stack, documented in dynims.properties.
 *
 * @param ports by setting, such as {@code kafka.port}; without those that are off
 * @param tierMaxBytes the greatest capacity of the tier
 * @param gain empty for the law's own
 * @param tls whether the parts speak TLS with each other
 * @param text every setting as text
 */
public record StackSettings(
    Map<String, Integer> ports,
    String nodeName,
    Path tierParent,
    long tierMaxBytes,
    long blockSizeBytes,
    String mode,
    LawType law,
    double threshold,
    Optional<Double> gain,
    long intervalMillis,
    long staleAfterMillis,
    Optional<Long> memoryTotalBytes,
    long readyTimeoutMillis,
    long stopTimeoutMillis,
    boolean tls,
    Map<String, String> text) {

  private static final String OPTIONAL_PORT = "flink.port";
  private static final String REPORT_BY_EXCEPTION = "collectd.report.by.exception";
  private static final long DEFAULT_TIER_MAX_BYTES = 2L << 30;

  /** The documented settings. */
  public static String documented() {
    return Config.resource(StackSettings.class, "dynims.properties");
  }

  /**
   * The settings of a new stack. The command line overrides the environment, which overrides the
   * user's file.
   *
   * @param given {@code KEY=VALUE} from the command line
   * @throws ConfigException naming every setting that cannot be used
   */
  public static StackSettings forNewStack(
      StackHome home, List<String> given, Map<String, String> environment, Machine machine)
      throws ConfigException {
    List<String> args = new ArrayList<>();
    if (Files.exists(home.userSettings())) {
      args.add("--config=" + home.userSettings());
    }
    given.forEach(setting -> args.add("--" + setting));
    return read(args, environment, machine);
  }

  /**
   * The settings of the running stack; empty if none is running.
   *
   * @throws ConfigException if the file is damaged
   */
  public static Optional<StackSettings> inForce(StackHome home, Machine machine)
      throws ConfigException {
    Path file = home.settingsInForce();
    return Files.exists(file)
        ? Optional.of(read(List.of("--config=" + file), Map.of(), machine))
        : Optional.empty();
  }

  /** Saves these settings as the ones in force. */
  public void save(StackHome home) throws IOException {
    StringBuilder lines =
        new StringBuilder("# Written by ./dynims up; removed by ./dynims down.\n");
    new TreeMap<>(text)
        .forEach(
            (key, value) ->
                lines.append(key).append(" = ").append(value.replace("\\", "\\\\")).append('\n'));
    Files.writeString(home.settingsInForce(), lines);
  }

  public int port(String setting) {
    return ports.get(setting);
  }

  /** The words of a setting, such as additional options of a program. */
  List<String> words(String setting) {
    String words = text.get(setting).strip();
    return words.isEmpty() ? List.of() : List.of(words.split("\\s+"));
  }

  /**
   * The kubeconfig file of the cluster whose MemoryTiers apply; empty if the policy file applies.
   */
  public Optional<Path> kubernetesConfig() {
    String file = text.get("kubernetes.config");
    return file.isEmpty() ? Optional.empty() : Optional.of(Path.of(file).toAbsolutePath());
  }

  /** The folder that is Alluxio's under store. */
  Path alluxioUfs(StackHome home) {
    String folder = text.get("alluxio.ufs");
    return folder.isEmpty() ? home.state().resolve("ufs") : Path.of(folder).toAbsolutePath();
  }

  /** The control group that plays the node; empty if this machine is the node. */
  public Optional<NodeGroup> nodeGroup() {
    String folder = text.get("node.cgroup");
    return folder.isEmpty() ? Optional.empty() : Optional.of(new NodeGroup(Path.of(folder)));
  }

  /** The command line of a program that runs on the node. */
  List<String> onNode(List<String> program) {
    return nodeGroup().map(group -> group.command("parts", program)).orElse(List.copyOf(program));
  }

  /** The store behind the tier. */
  public StackStore store() {
    return StackStore.of(text.get("store")).orElse(StackStore.Alluxio);
  }

  /** The controller's address. */
  public String controllerUrl() {
    return "http://127.0.0.1:" + port("controller.port");
  }

  /** The adapter's address. */
  public String adapterUrl() {
    return (tls ? "https" : "http") + "://127.0.0.1:" + port("adapter.port");
  }

  /** The broker's address. */
  public String kafkaAddress() {
    return "127.0.0.1:" + port("kafka.port");
  }

  private static StackSettings read(
      List<String> args, Map<String, String> environment, Machine machine) throws ConfigException {
    Config config = Config.read(documented(), args.toArray(String[]::new), environment);
    Map<String, String> text = new HashMap<>();
    keys().forEach(key -> text.put(key, config.text(key)));
    LawType law = law(config);
    StackSettings settings =
        new StackSettings(
            ports(config),
            config.required("node.name"),
            config.path("tier.parent").orElseGet(() -> Path.of("/dev/shm")),
            config
                .optionalBytes("tier.max")
                .orElseGet(() -> Math.min(DEFAULT_TIER_MAX_BYTES, machine.memoryTotalBytes() / 4)),
            config.bytes("alluxio.block.size"),
            config.required("policy.mode"),
            law,
            ratio(config, "policy.threshold", 1),
            config.text("policy.gain").isEmpty()
                ? Optional.empty()
                : Optional.of(ratio(config, "policy.gain", law.maxGain())),
            config.millis("policy.interval"),
            config.millis("policy.stale.after"),
            config.optionalBytes("policy.memory.total"),
            config.millis("ready.timeout"),
            config.millis("stop.timeout"),
            config.flag("tls.enabled"),
            Map.copyOf(text));
    settings.validate(config);
    config.check();
    return settings;
  }

  private void validate(Config config) {
    if (!nodeName.matches("[A-Za-z0-9._-]{0,127}")) {
      config.reject(
          "node.name", "'" + nodeName + "' has a character other than letters, digits, . _ -");
    }
    if (!StackStore.keys().contains(text.get("store"))) {
      config.reject(
          "store",
          "'" + text.get("store") + "' is not one of " + String.join(", ", StackStore.keys()));
    }
    if (!List.of("Enforce", "Recommend", "Off").contains(mode)) {
      config.reject("policy.mode", "'" + mode + "' is not one of Enforce, Recommend, Off");
    }
    String plugin = text.get("collectd.memory.plugin");
    if (!List.of("dynims", "stock").contains(plugin)) {
      config.reject("collectd.memory.plugin", "'" + plugin + "' is neither dynims nor stock");
    }
    if (config.flag(REPORT_BY_EXCEPTION) && !plugin.equals("dynims")) {
      config.reject(REPORT_BY_EXCEPTION, "the plugin " + plugin + " sends every sample");
    }
    String job = text.get("flink.job");
    if (!List.of("dynims", "prototype").contains(job)) {
      config.reject("flink.job", "'" + job + "' is neither dynims nor prototype");
    }
    nodeGroup()
        .filter(group -> !group.folder().startsWith(NodeGroup.ROOT))
        .ifPresent(
            group ->
                config.reject("node.cgroup", group.folder() + " is not below " + NodeGroup.ROOT));
    String annotator = text.get("alluxio.annotator");
    if (!List.of("LRU", "LRFU").contains(annotator)) {
      config.reject("alluxio.annotator", "'" + annotator + "' is neither LRU nor LRFU");
    }
    String realTime = text.get("loop.realtime");
    if (!Scheduling.MODES.contains(realTime)) {
      config.reject("loop.realtime", "'" + realTime + "' is not one of off, auto, on");
    }
    if (tierMaxBytes < store().minBytes()) {
      config.reject("tier.max", tierMaxBytes + " bytes are less than the store needs");
    }
    if (store() == StackStore.Alluxio && tierMaxBytes < 2 * blockSizeBytes) {
      config.reject("tier.max", tierMaxBytes + " bytes cannot hold two blocks");
    }
    if (blockSizeBytes < 1 << 20) {
      config.reject("alluxio.block.size", blockSizeBytes + " bytes are less than 1Mi");
    }
  }

  private static Map<String, Integer> ports(Config config) {
    Map<String, Integer> ports = new TreeMap<>();
    Map<Integer, String> taken = new HashMap<>();
    for (String key : keys()) {
      if (key.endsWith(".port") && !(key.equals(OPTIONAL_PORT) && config.text(key).isEmpty())) {
        int port = config.number(key, 1, 65_535);
        String other = taken.putIfAbsent(port, key);
        if (other != null) {
          config.reject(key, port + " is also the value of " + other);
        }
        ports.put(key, port);
      }
    }
    return Map.copyOf(ports);
  }

  /** Whether the node sends only samples that differ. */
  boolean reportsByException() {
    return text.get(REPORT_BY_EXCEPTION).equals("true");
  }

  private static LawType law(Config config) {
    String name = config.text("policy.law");
    for (LawType law : LawType.values()) {
      if (law.name().equals(name)) {
        return law;
      }
    }
    config.reject("policy.law", "'" + name + "' is neither Forecast nor Feedback");
    return LawType.DEFAULT;
  }

  private static double ratio(Config config, String key, double max) {
    try {
      String text = config.text(key);
      double value =
          Quantities.isPercentage(text) ? Quantities.ratio(text) : Double.parseDouble(text);
      if (value > 0 && value <= max) {
        return value;
      }
    } catch (IllegalArgumentException e) {
      // Reported below.
    }
    config.reject(key, "'" + config.text(key) + "' is not a number above 0, up to " + (int) max);
    return max;
  }

  private static List<String> keys() {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(documented()));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return properties.stringPropertyNames().stream().sorted().toList();
  }
}
