package io.dynims.controller.kafka;

import io.dynims.core.wire.Target;
import io.dynims.core.wire.Topics;
import io.dynims.core.wire.WireCodec;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes decisions to the history topic on its own thread. Decisions that Kafka does not accept are
 * dropped and counted. Little is lost during an outage of Kafka, because no decisions arrive then.
 */
public final class HistorySink implements AutoCloseable {

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "history-sink"));
  private final DroppingProducer producer;
  private final Runnable onDrop;

  /**
   * Creates the producer and its thread.
   *
   * @param onDrop called on any thread for each dropped decision
   */
  public HistorySink(KafkaSettings settings, Runnable onDrop) {
    this.onDrop = onDrop;
    this.producer =
        new DroppingProducer(
            settings,
            Map.of(
                "max.block.ms",
                5_000,
                "linger.ms",
                100,
                "compression.type",
                "gzip",
                "buffer.memory",
                8L << 20),
            onDrop);
  }

  /** Queues decisions, oldest first for each tier, and returns at once. */
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
    // Readers seek by the time of the decision, and the topic's retention counts from it.
    producer.send(
        new ProducerRecord<>(
            Topics.HISTORY,
            null,
            target.decidedMillis(),
            target.key().toString(),
            WireCodec.TARGET.encode(target)));
  }

  @Override
  public void close() {
    thread.shutdownNow();
    producer.close();
  }
}
