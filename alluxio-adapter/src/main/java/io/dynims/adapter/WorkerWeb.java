package io.dynims.adapter;

import alluxio.util.FormatUtils;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.dynims.core.wire.OptionalField;
import io.dynims.core.wire.WireCodec;
import io.dynims.core.wire.WireException;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URI;
import java.util.Optional;

/** What the worker's web server reports. */
final class WorkerWeb {

  private static final WireCodec<Info> INFO = new WireCodec<>(Info.class);
  private static final String INFO_PATH = "/api/v1/worker/info";
  private static final int TIMEOUT_MILLIS = 2_000;
  private static final int MAX_BYTES = 4 << 20;

  /** The part of the worker's information that counts. */
  record Info(Configuration configuration) {}

  /** The worker's settings for moving blocks between its tiers. */
  record Configuration(
      @JsonProperty("alluxio.worker.management.tier.align.enabled") boolean aligns,
      @OptionalField @JsonProperty("alluxio.worker.management.tier.align.reserved.bytes")
          String reserved) {}

  private WorkerWeb() {}

  /**
   * What a worker of several tiers keeps of each directory for moving blocks between them. Clients
   * get none of it, but the worker's free space and its master's figures do not say so.
   *
   * @param address any address of the worker's web server; empty if it is not to be asked
   * @return in bytes, at least 0
   * @throws IOException naming the address or the setting, if the web server is unavailable, or
   *     answers something else
   */
  static long reservedBytes(Optional<URI> address) throws IOException {
    URI info =
        address
            .orElseThrow(() -> new IOException("worker.metrics.url is empty"))
            .resolve(INFO_PATH);
    try {
      Configuration configuration = get(info, INFO).configuration();
      return configuration.aligns()
          ? Math.max(0, FormatUtils.parseSpaceSize(configuration.reserved()))
          : 0;
    } catch (IOException | WireException | RuntimeException e) {
      throw new IOException(info + ": " + e, e);
    }
  }

  /**
   * What the worker's web server answers; waits for it, up to some seconds.
   *
   * @throws WireException if the answer has another form
   */
  static <T> T get(URI address, WireCodec<T> codec) throws IOException, WireException {
    var connection = (HttpURLConnection) address.toURL().openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(TIMEOUT_MILLIS);
    connection.setReadTimeout(TIMEOUT_MILLIS);
    // A connection that is kept would need a thread to end it.
    connection.setRequestProperty("Connection", "close");
    try (InputStream body = connection.getInputStream()) {
      byte[] json = body.readNBytes(MAX_BYTES + 1);
      if (json.length > MAX_BYTES) {
        throw new IOException("more than " + MAX_BYTES + " bytes");
      }
      return codec.decode(json);
    } finally {
      connection.disconnect();
    }
  }
}
