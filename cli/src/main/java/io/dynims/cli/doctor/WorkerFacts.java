package io.dynims.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.dynims.cli.doctor.PeerClient.Reply;
import java.io.IOException;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The settings of an Alluxio worker and of its master, with their defaults, as their web ports tell
 * them.
 *
 * @param settings of the worker, by key
 * @param masterSettings of the master, by key; missing if nobody said where it is
 * @param capacityBytes what the worker has in all its tiers
 */
record WorkerFacts(JsonNode settings, JsonNode masterSettings, long capacityBytes) {

  private static final Map<String, Long> UNITS =
      Map.of("", 1L, "K", 1L << 10, "M", 1L << 20, "G", 1L << 30, "T", 1L << 40);
  private static final Map<String, Long> TIME_UNITS_MILLIS =
      Map.of("", 1L, "ms", 1L, "s", 1_000L, "sec", 1_000L, "m", 60_000L, "min", 60_000L);
  private static final Pattern TIME = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?([a-z]*)");
  private static final Pattern SIZE = Pattern.compile("([0-9]+(?:\\.[0-9]+)?) ?([KMGT]?)B?");

  static WorkerFacts read(URI worker, DoctorOptions options)
      throws IOException, InterruptedException {
    JsonNode info = info(worker, "/api/v1/worker/info", options);
    Optional<URI> master = options.targets().master();
    return new WorkerFacts(
        info.path("configuration"),
        master.isPresent()
            ? info(master.get(), "/api/v1/master/info", options).path("configuration")
            : MissingNode.getInstance(),
        info.path("capacity").path("total").asLong());
  }

  private static JsonNode info(URI uri, String path, DoctorOptions options)
      throws IOException, InterruptedException {
    Reply reply =
        new PeerClient(uri, options.targets().tls(), options.timeout()).get(path, Optional.empty());
    JsonNode info = reply.status() == 200 ? reply.json() : MissingNode.getInstance();
    if (!info.path("configuration").isObject()) {
      throw new IOException(
          "%s answers HTTP %d without a configuration; is it the web port of Alluxio 2.9?"
              .formatted(reply.asked(), reply.status()));
    }
    return info;
  }

  String setting(String key) {
    return settings.path(key).asText();
  }

  /** A setting that is a number, or a size such as {@code 64MB}; empty if it is not set. */
  OptionalLong number(String key) {
    return quantity(SIZE.matcher(setting(key).strip().toUpperCase(Locale.ROOT)), UNITS);
  }

  /** A setting that is a time such as {@code 1sec}, in ms; empty if it is not set. */
  OptionalLong millis(String key) {
    return quantity(TIME.matcher(setting(key).strip().toLowerCase(Locale.ROOT)), TIME_UNITS_MILLIS);
  }

  private static OptionalLong quantity(Matcher text, Map<String, Long> units) {
    Long unit = text.matches() ? units.get(text.group(2)) : null;
    return unit == null
        ? OptionalLong.empty()
        : OptionalLong.of((long) (Double.parseDouble(text.group(1)) * unit));
  }
}
