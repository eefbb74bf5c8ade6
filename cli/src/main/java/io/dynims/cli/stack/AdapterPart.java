package io.dynims.cli.stack;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The adapter of the stack's store. */
final class AdapterPart {

  static final String NAME = "adapter";

  /** Options that keep the adapter small, as in agents/systemd/dynims-alluxio-adapter.service. */
  private static final List<String> SMALL_JVM =
      List.of(
          "-Xmn3m",
          "-Xss512k",
          "-XX:ReservedCodeCacheSize=24m",
          "-XX:TrimNativeHeapInterval=60000",
          "-XX:-UsePerfData",
          "-Dio.netty.maxDirectMemory=8388608");

  private static final int HEAP_MEBIBYTES = 48;

  private final StackHome home;
  private final StackSettings settings;
  private final StackTls tls;
  private final StoreParts store;
  private final Path jar;

  AdapterPart(StackHome home, StackSettings settings, StackTls tls, StoreParts store) {
    this.home = home;
    this.settings = settings;
    this.tls = tls;
    this.store = store;
    this.jar = home.project().resolve(store.adapterJar());
  }

  Part part(Probes probes) {
    List<String> options = new ArrayList<>(SMALL_JVM);
    options.addAll(store.adapterJavaOptions());
    return new Part(
        NAME,
        List.of(settings.store().server()),
        List.of("adapter.port"),
        settings.adapterUrl(),
        settings.onNode(Tools.java(home.temporary(NAME), HEAP_MEBIBYTES, options, program())),
        this::prepare,
        () -> probes.http(settings.adapterUrl() + "/v1/tier"));
  }

  private List<String> program() {
    List<String> program =
        new ArrayList<>(
            List.of(
                "-jar",
                jar.toString(),
                "--node.name=" + settings.nodeName(),
                "--http.address=127.0.0.1:" + settings.port("adapter.port"),
                "--http.token.file=" + home.tierToken(),
                "--tier.max=" + settings.tierMaxBytes(),
                "--node.memory.group="
                    + settings.nodeGroup().map(group -> group.folder().toString()).orElse("/"),
                "--state.file=" + home.data(settings.store().key() + "-adapter.state")));
    program.addAll(store.adapterSettings());
    program.addAll(tls.adapterOptions());
    return program;
  }

  private void prepare() throws IOException, InterruptedException, StackException {
    Tools.requireBuilt(jar);
    store.prepareAdapter();
  }
}
