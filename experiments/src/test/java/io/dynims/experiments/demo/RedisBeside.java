package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.stack.NodeGroup;
import io.dynims.cli.stack.StackSettings;
import io.dynims.core.testing.Needs;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.local.FreePorts;
import io.dynims.local.JavaCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A real Redis and its adapter on the node of a running stack, beside the stack's own store. */
final class RedisBeside implements AutoCloseable {

  static final String TIER = "redis";

  private final List<Process> started = new ArrayList<>();
  private final StackSettings settings;
  private final Path folder;
  private final int port = FreePorts.next();
  private final int adapterPort = FreePorts.next();

  /**
   * Starts them.
   *
   * @param folder for logs and the adapter's state
   */
  RedisBeside(BenchStack stack, Path folder, long maxBytes) throws Exception {
    this.settings = stack.settings();
    this.folder = folder;
    start(
        TIER,
        List.of(
            Needs.installed(Path.of("/usr/bin/redis-server"), "redis-server").toString(),
            "--port",
            Integer.toString(port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--maxmemory",
            Long.toString(maxBytes),
            "--maxmemory-policy",
            "allkeys-lru"));
    Path project = stack.home().project();
    start(
        "redis-adapter",
        JavaCommand.light(
            "-Xmx48m",
            "-jar",
            project.resolve("redis-adapter/target/dynims-redis-adapter.jar").toString(),
            "--store.address=127.0.0.1:" + port,
            "--node.name=" + settings.nodeName(),
            "--http.address=127.0.0.1:" + adapterPort,
            "--http.token.file=" + stack.home().tierToken(),
            "--tier.max=" + maxBytes,
            "--node.memory.group="
                + settings.nodeGroup().map(group -> group.folder().toString()).orElse("/"),
            "--state.file=" + folder.resolve("redis.state")));
  }

  int port() {
    return port;
  }

  String adapterUrl() {
    return "http://127.0.0.1:" + adapterPort;
  }

  /** Fails if one of them has ended. */
  void requireAlive() {
    for (Process each : started) {
      assertThat(each.isAlive()).as("%s", each.info().command()).isTrue();
    }
  }

  @Override
  public void close() throws InterruptedException {
    for (Process each : started) {
      each.destroy();
      each.waitFor();
    }
  }

  private void start(String name, List<String> program) throws IOException {
    Optional<NodeGroup> group = settings.nodeGroup();
    started.add(
        new ProcessBuilder(group.map(node -> node.command("parts", program)).orElse(program))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile())
            .start());
  }
}
