package io.dynims.cli.stack;

import java.util.ArrayList;
import java.util.List;

/** A stock memcached server of the Debian package. */
final class MemcachedParts implements StoreParts {

  static final String SERVER = "memcached";

  private static final long MEBIBYTE = 1L << 20;

  /**
   * Keeps malloc from raising the size from which it maps memory: a page of items that was taken
   * for the second time would not leave the process when it is freed.
   */
  private static final String MALLOC_SETTING = "MALLOC_MMAP_THRESHOLD_=" + MEBIBYTE / 2;

  private final StackSettings settings;

  MemcachedParts(StackSettings settings) {
    this.settings = settings;
  }

  @Override
  public List<Part> parts(Probes probes) {
    int port = settings.port("memcached.port");
    return List.of(
        new Part(
            SERVER,
            List.of(),
            List.of("memcached.port"),
            "127.0.0.1:" + port,
            settings.onNode(command(port)),
            () -> {},
            () -> probes.answer(port, "version", "VERSION ")));
  }

  private List<String> command(int port) {
    List<String> command =
        new ArrayList<>(
            List.of(
                "env",
                MALLOC_SETTING,
                "memcached",
                "-l",
                "127.0.0.1",
                "-p",
                Integer.toString(port),
                // No UDP.
                "-U",
                "0",
                "-m",
                Long.toString(settings.tierMaxBytes() / MEBIBYTE),
                "-o",
                "slab_reassign"));
    if (Tools.isRoot()) {
      // It refuses to run as root.
      command.addAll(List.of("-u", "nobody"));
    }
    return command;
  }

  @Override
  public String adapterJar() {
    return "memcached-adapter/target/dynims-memcached-adapter.jar";
  }

  @Override
  public List<String> adapterSettings() {
    return List.of(
        "--store.address=127.0.0.1:" + settings.port("memcached.port"),
        "--tier.min=" + settings.store().minBytes());
  }
}
