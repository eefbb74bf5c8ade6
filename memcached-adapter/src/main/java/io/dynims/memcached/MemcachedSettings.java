package io.dynims.memcached;

import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ReloadedFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The settings of the server, checked; {@code memcached-adapter.properties} documents them.
 *
 * @param server the server's address
 * @param passwordFile empty for a server that asks for none
 */
record MemcachedSettings(InetSocketAddress server, Optional<Path> passwordFile) {

  static MemcachedSettings read(Config config) {
    return new MemcachedSettings(
        config.address("store.address"), config.path("store.password.file"));
  }

  /** User name and password as they are in the file now. */
  Optional<String> credentials() throws IOException {
    if (passwordFile.isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        new String(ReloadedFiles.read(passwordFile.get()), StandardCharsets.UTF_8).strip());
  }
}
