package io.dynims.mpiio;

import io.dynims.runtime.config.Config;
import java.nio.file.Path;

/**
 * The settings of the cache, checked; {@code mpiio-adapter.properties} documents them.
 *
 * @param directory the agent's directory
 */
record MpiIoSettings(Path directory) {

  private static final String DIRECTORY = "store.directory";

  static MpiIoSettings read(Config config) {
    if (config.path(DIRECTORY).isEmpty()) {
      config.reject(DIRECTORY, "is required: the directory of the node's dynims-mpiio-agent");
    }
    return new MpiIoSettings(config.path(DIRECTORY).orElse(Path.of("")).toAbsolutePath());
  }

  /** Where the agent answers the adapter. */
  Path controlSocket() {
    return directory.resolve("control.sock");
  }
}
