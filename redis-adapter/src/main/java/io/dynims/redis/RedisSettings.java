package io.dynims.redis;

import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ReloadedFiles;
import io.dynims.runtime.tls.TlsFiles;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The settings of the server, checked; {@code redis-adapter.properties} documents them.
 *
 * @param server the server's address
 * @param username of the access control list; empty for the default user
 * @param passwordFile empty for a server that asks for none
 * @param tls how to speak TLS; empty without
 * @param stallNanos how long a step may make other clients wait
 * @param defragments whether to switch the server's active defragmentation on
 */
record RedisSettings(
    InetSocketAddress server,
    String username,
    Optional<Path> passwordFile,
    Optional<TlsFiles> tls,
    long stallNanos,
    boolean defragments) {

  private static final String DEFRAGMENTATION = "store.activedefrag";
  private static final String AUTO = "auto";

  static RedisSettings read(Config config) {
    RedisSettings settings =
        new RedisSettings(
            config.address("store.address"),
            config.text("store.username"),
            config.path("store.password.file"),
            TlsFiles.read(config, "store.tls"),
            TimeUnit.MILLISECONDS.toNanos(config.millis("resize.stall")),
            config.text(DEFRAGMENTATION).equals(AUTO));
    if (settings.stallNanos <= 0) {
      config.reject("resize.stall", "is not above 0");
    }
    if (!settings.defragments && !config.text(DEFRAGMENTATION).equals("off")) {
      config.reject(DEFRAGMENTATION, config.text(DEFRAGMENTATION) + " is neither auto nor off");
    }
    return settings;
  }

  /** The server's address, for messages. */
  String address() {
    return server.getHostString() + ":" + server.getPort();
  }

  /** The password in the file now. */
  Optional<char[]> password() throws IOException {
    if (passwordFile.isEmpty()) {
      return Optional.empty();
    }
    String text = new String(ReloadedFiles.read(passwordFile.get()), StandardCharsets.UTF_8);
    return Optional.of(text.strip().toCharArray());
  }
}
