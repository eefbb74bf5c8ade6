package io.dynims.cli.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The parts of DynIMS itself: collectd with its plugin, the job, the controller, the adapter. */
final class LoopParts {

  static final String CONTROLLER = "controller";
  static final String FLINK = "flink";
  static final String ADAPTER = "adapter";
  static final String COLLECTD = "collectd";

  /** Options that keep the adapter small, as in agents/systemd/dynims-alluxio-adapter.service. */
  private static final List<String> SMALL_JVM =
      List.of(
          "-Xmn3m",
          "-Xss512k",
          "-XX:ReservedCodeCacheSize=24m",
          "-XX:TrimNativeHeapInterval=60000",
          "-XX:-UsePerfData",
          "-Dio.netty.maxDirectMemory=8388608");

  private static final String ADAPTER_JAR = "alluxio-adapter/target/dynims-alluxio-adapter.jar";
  private static final String POLICY = "alluxio.yaml";

  /** The tier's name in the policy that {@code up} writes. */
  private static final String TIER = "alluxio";

  private static final String GENERATED = "# Written by ./dynims up.";

  private final StackHome home;
  private final StackSettings settings;
  private final StackTls tls;

  LoopParts(StackHome home, StackSettings settings, StackTls tls) {
    this.home = home;
    this.settings = settings;
    this.tls = tls;
  }

  /** Creates the topics; every part that uses one depends on it. */
  Part controller(Probes probes) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "--http.address=127.0.0.1:" + settings.port("controller.port"),
                "--kafka.bootstrap.servers=" + settings.kafkaAddress(),
                "--push.token.file=" + home.tierToken(),
                "--policies.path=" + home.policies()));
    settings
        .kubernetesConfig()
        .ifPresent(
            file -> {
              String namespace = settings.text().get("kubernetes.namespace");
              args.add("--kubernetes.enabled=true");
              args.add("--kubernetes.config=" + file);
              args.add("--kubernetes.namespace=" + namespace);
              args.add("--kubernetes.watch.namespace=" + namespace);
            });
    args.addAll(tls.controllerOptions());
    args.addAll(settings.words("controller.options"));
    return new Part(
        CONTROLLER,
        List.of(KafkaPart.NAME),
        List.of("controller.port"),
        settings.controllerUrl(),
        jar(
            192,
            settings.words("controller.java.options"),
            "controller/target/dynims-controller.jar",
            args.toArray(String[]::new)),
        this::writePolicy,
        () -> probes.http(settings.controllerUrl() + "/readyz"));
  }

  /** The job is ready when it has written its file; its REST port is open on demand only. */
  Part flink() {
    Path target = home.project().resolve("flink-job/target");
    boolean prototype = settings.text().get("flink.job").equals("prototype");
    Path jar =
        prototype
            ? home.project().resolve("experiments/prototype/target/dynims-prototype-job.jar")
            : target.resolve("dynims-flink-job.jar");
    List<String> options = new ArrayList<>(settings.words("flink.java.options"));
    options.addAll(
        List.of(
            "-cp", jar + ":" + target.resolve("dynims-flink-job.jar") + ":" + target + "/lib/*"));
    Path ready = home.data("flink.ready");
    String port = settings.text().get("flink.port");
    List<String> program =
        new ArrayList<>(
            List.of(
                prototype ? "io.dynims.prototype.PrototypeJob" : "io.dynims.flink.DynimsJob",
                "--kafka.bootstrap.servers=" + settings.kafkaAddress(),
                "--rest.port=" + port,
                "--ready.file=" + ready));
    program.addAll(tls.jobOptions());
    program.addAll(settings.words("flink.options"));
    return new Part(
        FLINK,
        List.of(CONTROLLER),
        port.isEmpty() ? List.of() : List.of("flink.port"),
        port.isEmpty() ? "" : "http://127.0.0.1:" + port,
        Tools.java(512, options, program),
        () -> {
          requireBuilt(jar);
          Files.deleteIfExists(ready);
        },
        () -> Files.exists(ready) ? Optional.empty() : Optional.of("the job is not running yet"));
  }

  Part adapter(Probes probes) {
    List<String> args =
        new ArrayList<>(
            List.of(
                "--node.name=" + settings.nodeName(),
                "--http.address=127.0.0.1:" + settings.port("adapter.port"),
                "--http.token.file=" + home.tierToken(),
                "--worker.address=127.0.0.1:" + settings.port("alluxio.worker.port"),
                "--worker.metrics.url=http://127.0.0.1:"
                    + settings.port("alluxio.worker.web.port")
                    + "/metrics/json/",
                "--master.address=127.0.0.1:" + settings.port("alluxio.master.port"),
                "--tier.directory=" + home.blocks(settings.tierParent()),
                "--tier.max=" + settings.tierMaxBytes(),
                "--cgroup.root="
                    + settings.nodeGroup().map(group -> NodeGroup.ROOT.toString()).orElse(""),
                "--resize.slice=" + settings.text().get("adapter.resize.slice"),
                "--state.file=" + home.data("adapter.state")));
    args.addAll(tls.adapterOptions());
    return new Part(
        ADAPTER,
        List.of(AlluxioParts.WORKER),
        List.of("adapter.port"),
        settings.adapterUrl(),
        settings.onNode(jar(48, adapterOptions(), ADAPTER_JAR, args.toArray(String[]::new))),
        this::prepareAdapter,
        () -> probes.http(settings.adapterUrl() + "/v1/tier"));
  }

  private List<String> adapterOptions() {
    List<String> options = new ArrayList<>(SMALL_JVM);
    options.add("-XX:SharedArchiveFile=" + adapterArchive());
    return options;
  }

  private Path adapterArchive() {
    return home.project().resolve("alluxio-adapter/target/classes.jsa");
  }

  private void prepareAdapter() throws IOException, InterruptedException, StackException {
    Path jar = home.project().resolve(ADAPTER_JAR);
    requireBuilt(jar);
    String script = home.project().resolve("agents/archive-adapter").toString();
    Tools.run(
        List.of(script, jar.toString(), adapterArchive().toString(), "-XX:+UseSerialGC"),
        home.log(ADAPTER));
  }

  /** collectd has no port to probe; {@link ClosedLoop} checks that its samples arrive. */
  Part collectd() {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(
          List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups", "--"));
    }
    command.addAll(List.of(collectdProgram(), "-f", "-C", collectdConfig().toString()));
    return new Part(
        COLLECTD,
        List.of(CONTROLLER),
        List.of(),
        "",
        settings.onNode(command),
        this::renderCollectd,
        Optional::empty);
  }

  /**
   * Where collectd's files are. If root starts it, it runs as nobody, who may not be able to read
   * the home.
   */
  Path collectdFolder() {
    return isRoot()
        ? home.tier(Path.of("/run"))
            .resolveSibling(home.tier(Path.of("/run")).getFileName() + "-collectd")
        : home.config().resolve("collectd");
  }

  private Path collectdConfig() {
    return collectdFolder().resolve("collectd.conf");
  }

  private void renderCollectd() throws IOException, InterruptedException, StackException {
    Path agents = home.project().resolve("agents");
    Folders.copyFiles(agents.resolve("collectd"), collectdFolder());
    String plugin = settings.text().get("collectd.memory.plugin");
    List<String> command =
        new ArrayList<>(
            List.of(
                agents.resolve("render-collectd-conf").toString(),
                "--node",
                settings.nodeName(),
                "--brokers",
                settings.kafkaAddress(),
                "--interval",
                String.format(Locale.ROOT, "%.3f", settings.intervalMillis() / 1e3),
                "--memory-plugin",
                plugin,
                "--plugin-dir",
                collectdFolder().toString(),
                "--output",
                collectdConfig().toString()));
    settings
        .nodeGroup()
        .ifPresent(group -> command.addAll(List.of("--cgroup-root", NodeGroup.ROOT.toString())));
    if (plugin.equals("dynims")) {
      // Alluxio lets everyone list it, also nobody.
      command.addAll(
          List.of(
              "--tier", TIER, "--tier-directory", home.blocks(settings.tierParent()).toString()));
    }
    command.addAll(tls.collectdOptions(collectdFolder()));
    Tools.run(command, home.log(COLLECTD));
    if (isRoot()) {
      for (Path file : tls.collectdSecrets(collectdConfig())) {
        Files.setOwner(
            file,
            file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
      }
    }
  }

  private void writePolicy() throws IOException, StackException {
    requireBuilt(home.project().resolve("controller/target/dynims-controller.jar"));
    Path policy = home.policies().resolve(POLICY);
    if (!Files.exists(policy) || Files.readString(policy).startsWith(GENERATED)) {
      new Template(home, settings).write(POLICY, home.policies());
    }
  }

  private List<String> jar(int heapMebibytes, List<String> options, String jar, String... args) {
    List<String> program = new ArrayList<>(List.of("-jar", home.project().resolve(jar).toString()));
    program.addAll(List.of(args));
    return Tools.java(heapMebibytes, options, program);
  }

  private static void requireBuilt(Path jar) throws StackException {
    if (!Files.exists(jar)) {
      throw new StackException(jar + " is missing; build it with ./mvnw -DskipTests package");
    }
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  /** Debian installs collectd outside the PATH of users other than root. */
  private static String collectdProgram() {
    return Files.isExecutable(Path.of("/usr/sbin/collectd")) ? "/usr/sbin/collectd" : "collectd";
  }
}
