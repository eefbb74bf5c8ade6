package io.dynims.cli.stack;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A stock Alluxio master and worker; the worker's only tier is a folder in a tmpfs. */
final class AlluxioParts implements StoreParts {

  static final String MASTER = "alluxio-master";
  static final String WORKER = "alluxio-worker";

  /** Packages that Netty, gRPC and Alluxio access by reflection on Java 17. */
  private static final List<String> OPENED =
      List.of(
          "java.base/java.lang",
          "java.base/java.nio",
          "java.base/java.util",
          "java.base/jdk.internal.ref",
          "java.base/sun.nio.ch",
          "java.base/sun.security.x509");

  private static final String ADAPTER_JAR = "alluxio-adapter/target/dynims-alluxio-adapter.jar";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final StackHome home;
  private final StackSettings settings;

  AlluxioParts(StackHome home, StackSettings settings) {
    this.home = home;
    this.settings = settings;
  }

  @Override
  public List<Part> parts(Probes probes) {
    return List.of(master(probes), worker(probes));
  }

  private Part master(Probes probes) {
    return new Part(
        MASTER,
        List.of(),
        List.of("alluxio.master.port", "alluxio.master.web.port"),
        "alluxio://127.0.0.1:" + settings.port("alluxio.master.port"),
        java(MASTER, 256, List.of("alluxio.master.AlluxioMaster")),
        this::prepareMaster,
        () -> probes.port(settings.port("alluxio.master.port")));
  }

  private Part worker(Probes probes) {
    return new Part(
        WORKER,
        List.of(MASTER),
        List.of("alluxio.worker.port", "alluxio.worker.web.port"),
        "127.0.0.1:" + settings.port("alluxio.worker.port"),
        settings.onNode(java(WORKER, 256, List.of("alluxio.worker.AlluxioWorker"))),
        this::prepareWorker,
        () -> registered(probes));
  }

  @Override
  public String adapterJar() {
    return ADAPTER_JAR;
  }

  @Override
  public List<String> adapterSettings() {
    return List.of(
        "--worker.address=127.0.0.1:" + settings.port("alluxio.worker.port"),
        "--worker.metrics.url=http://127.0.0.1:"
            + settings.port("alluxio.worker.web.port")
            + "/metrics/json/",
        "--master.address=127.0.0.1:" + settings.port("alluxio.master.port"),
        "--tier.directory=" + home.blocks(settings.tierParent()),
        "--resize.slice=" + settings.text().get("adapter.resize.slice"));
  }

  @Override
  public List<String> adapterJavaOptions() {
    return List.of("-XX:SharedArchiveFile=" + adapterArchive());
  }

  @Override
  public void prepareAdapter() throws IOException, InterruptedException {
    List<String> command =
        List.of(
            home.project().resolve("agents/archive-adapter").toString(),
            home.project().resolve(ADAPTER_JAR).toString(),
            adapterArchive().toString(),
            "-XX:+UseSerialGC");
    Path log = home.log(AdapterPart.NAME);
    try {
      Tools.run(command, log);
    } catch (StackException e) {
      // As on a slow machine. Without the archive the adapter takes longer to start, no more.
      Files.writeString(log, e.getMessage() + "\n", StandardOpenOption.APPEND);
    }
  }

  private Path adapterArchive() {
    return home.project().resolve("alluxio-adapter/target/classes.jsa");
  }

  private void prepareMaster() throws IOException, InterruptedException, StackException {
    writeConfig();
    Files.createDirectories(settings.alluxioUfs(home));
    Path formatted = home.data("alluxio-journal.formatted");
    if (!Files.exists(formatted)) {
      Folders.remove(home.data("alluxio-journal"));
      Files.createDirectories(home.data("alluxio-journal"));
      Tools.run(java(MASTER, 128, List.of("alluxio.cli.Format", "master")), home.log(MASTER));
      Files.createFile(formatted);
    }
  }

  private void prepareWorker() throws IOException {
    writeConfig();
    Files.createDirectories(home.tier(settings.tierParent()));
  }

  private void writeConfig() throws IOException {
    Template template = new Template(home, settings);
    template.write("alluxio-site.properties", home.config());
    template.write("log4j2.properties", home.config());
  }

  /** Checks that the master lists the worker as active. */
  private Optional<String> registered(Probes probes) throws IOException, InterruptedException {
    int port = settings.port("alluxio.worker.port");
    if (!Probes.accepts(port)) {
      return Optional.of("nothing listens on port " + port);
    }
    String info =
        "http://127.0.0.1:" + settings.port("alluxio.master.web.port") + "/api/v1/master/info";
    JsonNode workers = JSON.readTree(probes.get(info).body()).path("workers");
    for (JsonNode worker : workers) {
      if (worker.path("address").path("rpcPort").asInt() == port
          && worker.path("state").asText().equals("ACTIVE")) {
        return Optional.empty();
      }
    }
    return Optional.of("the master does not list the worker yet");
  }

  private List<String> java(String part, int heapMebibytes, List<String> program) {
    List<String> options = new ArrayList<>();
    OPENED.forEach(name -> options.add("--add-opens=" + name + "=ALL-UNNAMED"));
    options.add("-XX:MaxDirectMemorySize=256m");
    options.add("-Dalluxio.home=" + home.state());
    options.add("-Dalluxio.conf.dir=" + home.config());
    options.add("-Dalluxio.site.conf.dir=" + home.config());
    options.add("-Dalluxio.logs.dir=" + home.logs());
    options.add("-Dlog4j2.configurationFile=" + home.config().resolve("log4j2.properties"));
    options.add("-cp");
    options.add(home.project().resolve("dist/alluxio/target/lib") + "/*");
    return Tools.java(home.temporary(part), heapMebibytes, options, program);
  }
}
