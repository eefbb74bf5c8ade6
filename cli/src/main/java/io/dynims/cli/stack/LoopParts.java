package io.dynims.cli.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The parts of DynIMS that are the same for every store: collectd, the job, the controller. */
final class LoopParts {

  static final String CONTROLLER = "controller";
  static final String FLINK = "flink";
  static final String COLLECTD = "collectd";

  private static final String POLICY = "tier.yaml";
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
                "--http.hints.token.file=" + home.tierToken(),
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
    args.addAll(tls.controllerOptions(home.tierToken()));
    args.addAll(settings.words("controller.options"));
    return new Part(
        CONTROLLER,
        List.of(KafkaPart.NAME),
        List.of("controller.port"),
        settings.controllerUrl(),
        controllerProgram(args),
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
        Tools.java(home.temporary(FLINK), 512, options, program),
        () -> {
          Tools.requireBuilt(jar);
          Files.deleteIfExists(ready);
        },
        () -> Files.exists(ready) ? Optional.empty() : Optional.of("the job is not running yet"));
  }

  /** collectd has no port to probe; {@link ClosedLoop} checks that its samples arrive. */
  Part collectd() {
    List<String> command = new ArrayList<>();
    if (Tools.isRoot()) {
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
    return Tools.isRoot()
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
    if (plugin.equals("dynims") && settings.store() == StackStore.Alluxio) {
      // Alluxio lets everyone list it, also nobody. A tier without a folder is measured by acks.
      command.addAll(
          List.of(
              "--tier",
              settings.store().key(),
              "--tier-directory",
              home.blocks(settings.tierParent()).toString()));
    }
    if (settings.reportsByException()) {
      command.add("--report-by-exception");
    }
    command.addAll(tls.collectdOptions(collectdFolder()));
    Tools.run(command, home.log(COLLECTD));
    if (Tools.isRoot()) {
      for (Path file : tls.collectdSecrets(collectdConfig())) {
        Files.setOwner(
            file,
            file.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName("nobody"));
      }
    }
  }

  private void writePolicy() throws IOException, StackException {
    Tools.requireBuilt(home.project().resolve("controller/target/dynims-controller.jar"));
    for (StackStore store : StackStore.values()) {
      Path policy = home.policies().resolve(store.policyFile());
      boolean replaceable = !Files.exists(policy) || Files.readString(policy).startsWith(GENERATED);
      if (store == settings.store() && replaceable) {
        Files.writeString(policy, new Template(home, settings).render(POLICY));
      } else if (replaceable) {
        Files.deleteIfExists(policy);
      } else if (store != settings.store()) {
        throw new StackException(
            policy + " would give the node a second tier; move your policy to another folder");
      }
    }
  }

  private List<String> controllerProgram(List<String> args) {
    Path jar = home.project().resolve("controller/target/dynims-controller.jar");
    List<String> program = new ArrayList<>(List.of("-jar", jar.toString()));
    program.addAll(args);
    return Tools.java(
        home.temporary(CONTROLLER), 192, settings.words("controller.java.options"), program);
  }

  /** Debian installs collectd outside the PATH of users other than root. */
  private static String collectdProgram() {
    return Files.isExecutable(Path.of("/usr/sbin/collectd")) ? "/usr/sbin/collectd" : "collectd";
  }
}
