package io.dynims.cli.stack;

import io.dynims.tier.TierClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/** How tools reach the parts of a running stack, with its credentials. */
public final class StackClients {

  private final StackHome home;
  private final StackSettings settings;
  private final StackTls tls;

  public StackClients(StackHome home, StackSettings settings) {
    this.home = home;
    this.settings = settings;
    this.tls = new StackTls(home, settings);
  }

  /** What a Kafka client needs to reach the broker. */
  public Map<String, Object> kafkaProperties() {
    Map<String, Object> properties = new HashMap<>(tls.kafkaProperties());
    properties.put("bootstrap.servers", settings.kafkaAddress());
    return properties;
  }

  /**
   * Whom to trust where an address is https; empty where the stack has no TLS.
   *
   * @throws IOException if the stack's certificates cannot be read
   */
  public Optional<SSLContext> tls() throws IOException {
    return tls.context();
  }

  /**
   * A client of the adapter that may resize the tier.
   *
   * @throws IOException if the stack's token or certificates cannot be read
   */
  public TierClient tier() throws IOException {
    String token = Files.readString(home.tierToken()).strip();
    return new TierClient(URI.create(settings.adapterUrl()), Optional.of(token), tls.context());
  }
}
