package io.dynims.adapter.runtime;

import io.dynims.runtime.auth.TokenFile;
import io.dynims.runtime.config.Config;
import io.dynims.runtime.tls.TlsFiles;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.TierServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.Map;

/** A tier in memory on loopback, which lets those change it whom an adapter's settings let. */
public final class ServedTier implements AutoCloseable {

  private static final String TIER =
      """
      tier.name = ${DYNIMS_TIER_NAME:any}
      tier.min = ${DYNIMS_ADAPTER_TIER_MIN:0}
      tier.max = ${DYNIMS_ADAPTER_TIER_MAX:}
      """;

  private final AdapterSettings settings;
  private final TierServer server;

  /**
   * Starts it.
   *
   * @param environment the variables of an adapter
   * @throws Exception if the settings cannot be used
   */
  public ServedTier(Map<String, String> environment) throws Exception {
    Config config = Config.read(AdapterSettings.documented(TIER), new String[] {}, environment);
    settings = AdapterSettings.read(config);
    config.check();
    server =
        TierServer.start(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            new InMemoryTierStore(settings.tier(), 0, 1_000),
            GuardSettings.none(),
            settings.access());
  }

  /** Where its Tier API is. */
  public URI uri() {
    return server.uri();
  }

  @Override
  public void close() {
    server.close();
    settings.access().tls().ifPresent(TlsFiles::close);
    settings.access().tokens().ifPresent(TokenFile::close);
  }
}
