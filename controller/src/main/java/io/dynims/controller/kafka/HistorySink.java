package io.dynims.controller.kafka;

import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;

/**
 * Writes decisions to the topic of history, on a thread of its own. What Kafka does not take is
 * dropped and counted; while Kafka is away nothing is decided, either, so that little is lost.
 */
public final class HistorySink implements AutoCloseable {

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(1);

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "history-sink"));
  private final KafkaProducer<String, byte[]> producer;
  private final Runnable onDrop;

  /**
   * A sink.
   *
   * @param onDrop called for each decision that was dropped, by any thread
   */
  public HistorySink(KafkaSettings settings, Runnable onDrop) {
    this.onDrop = onDrop;
    this.producer =
        new KafkaProducer<>(
            settings.with(
                Map.of(
                    "max.block.ms",
                    5_000,
                    "linger.ms",
                    100,
                    "compression.type",
                    "gzip",
                    "buffer.memory",
                    8L << 20)),
            new StringSerializer(),
            new ByteArraySerializer());
  }

  /** Takes decisions, for each tier the older before the newer; returns at once. */
  public void write(List<Target> targets) {
    if (targets.isEmpty()) {
      return;
    }
    try {
      thread.execute(() -> targets.forEach(this::send));
    } catch (RejectedExecutionException e) {
      targets.forEach(target -> onDrop.run());
    }
  }

  private void send(Target target) {
    // By the time of its decision it is found and, an hour later, forgotten.
    ProducerRecord<String, byte[]> sent =
        new ProducerRecord<>(
            Topics.HISTORY,
            null,
            target.decidedMillis(),
            target.key().toString(),
            WireCodec.TARGET.encode(target));
    try {
      var unusedFuture =
          producer.send(
              sent,
              (metadata, failure) -> {
                if (failure != null) {
                  onDrop.run();
                }
              });
    } catch (KafkaException | IllegalStateException e) {
      // Interrupted, or closed: the program is about to end.
      onDrop.run();
    }
  }

  @Override
  public void close() {
    thread.shutdownNow();
    producer.close(CLOSE_TIMEOUT);
  }
}
