package io.dynims.cli.stack;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;

/** A stock Redis server of the Debian package, without persistence. */
final class RedisParts implements StoreParts {

  static final String SERVER = "redis";

  private static final String CONFIG = "redis.conf";

  private final StackHome home;
  private final StackSettings settings;

  RedisParts(StackHome home, StackSettings settings) {
    this.home = home;
    this.settings = settings;
  }

  @Override
  public List<Part> parts(Probes probes) {
    int port = settings.port("redis.port");
    return List.of(
        new Part(
            SERVER,
            List.of(),
            List.of("redis.port"),
            "redis://127.0.0.1:" + port,
            settings.onNode(List.of("redis-server", home.config().resolve(CONFIG).toString())),
            this::prepare,
            () -> probes.answer(port, "PING", "+PONG")));
  }

  @Override
  public String adapterJar() {
    return "redis-adapter/target/dynims-redis-adapter.jar";
  }

  @Override
  public List<String> adapterSettings() {
    return List.of(
        "--store.address=127.0.0.1:" + settings.port("redis.port"),
        "--tier.min=" + settings.store().minBytes());
  }

  private void prepare() throws IOException {
    Files.createDirectories(home.data(SERVER));
    new Template(home, settings).write(CONFIG, home.config());
  }
}
