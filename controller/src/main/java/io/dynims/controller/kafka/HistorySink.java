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
 * Writes decisions to the topic of history, on a thread of its own. What Kafka does not take is
 * dropped and counted; while Kafka is away nothing is decided, either, so that little is lost.
 */
public final class HistorySink implements AutoCloseable {

  private final ExecutorService thread =
      Executors.newSingleThreadExecutor(task -> new Thread(task, "history-sink"));
  private final DroppingProducer producer;
  private final Runnable onDrop;

  /**
   * A sink.
   *
   * @param onDrop called for each decision that was dropped, by any thread
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
