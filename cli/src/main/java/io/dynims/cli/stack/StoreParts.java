package io.dynims.cli.stack;

import java.io.IOException;
import java.util.List;

/** What a store brings into the stack: its own parts, and how the adapter is started on it. */
interface StoreParts {

  /** The parts of a store. */
  static StoreParts of(StackHome home, StackSettings settings) {
    return switch (settings.store()) {
      case Alluxio -> new AlluxioParts(home, settings);
      case Redis -> new RedisParts(home, settings);
      case Memcached -> new MemcachedParts(settings);
      case MpiIo -> new MpiIoParts(home, settings);
    };
  }

  /** The store's own parts, in the order in which they start. */
  List<Part> parts(Probes probes);

  /** The adapter's jar, below the project's folder. */
  String adapterJar();

  /** Settings of the adapter that others do not have. */
  List<String> adapterSettings();

  /** More options for the adapter's JVM. */
  default List<String> adapterJavaOptions() {
    return List.of();
  }

  /** Runs before every start of the adapter, whose jar is there. */
  default void prepareAdapter() throws IOException, InterruptedException, StackException {}
}
