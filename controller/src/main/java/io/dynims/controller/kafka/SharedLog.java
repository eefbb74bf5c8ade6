package io.dynims.controller.kafka;

import io.dynims.controller.kafka.TopicReader.Begin;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.errors.TimeoutException;

/** Opens the topics over which replicas agree: one partition, read from its end by each of them. */
final class SharedLog {

  private static final int REQUEST_TIMEOUT_MILLIS = 1_500;
  private static final int API_TIMEOUT_MILLIS = 2_000;

  private SharedLog() {}

  /** A reader at the end of the topic, which is created if it is missing. */
  static TopicReader open(KafkaSettings settings, String topic)
      throws ExecutionException, InterruptedException {
    Map<String, Object> adminSettings =
        settings.with(
            Map.of(
                "request.timeout.ms",
                REQUEST_TIMEOUT_MILLIS,
                "default.api.timeout.ms",
                API_TIMEOUT_MILLIS));
    try (Admin admin = Admin.create(adminSettings)) {
      new TopicSetup(settings).ensureSharedLog(admin, topic);
    }
    TopicReader opened = new TopicReader(settings, topic, Begin.Latest);
    if (!opened.assign()) {
      opened.close();
      throw new TimeoutException(topic + " has no partitions yet");
    }
    return opened;
  }
}
