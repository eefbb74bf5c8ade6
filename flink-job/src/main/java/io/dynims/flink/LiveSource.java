package io.dynims.flink;

import java.util.List;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.connector.source.Boundedness;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.Source;
import org.apache.flink.api.connector.source.SourceEvent;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.api.connector.source.SplitEnumerator;
import org.apache.flink.api.connector.source.SplitEnumeratorContext;
import org.apache.flink.api.java.typeutils.ResultTypeQueryable;
import org.apache.flink.connector.kafka.source.KafkaSource;
import org.apache.flink.connector.kafka.source.enumerator.KafkaSourceEnumState;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.core.io.SimpleVersionedSerializer;

/**
 * Reads a topic whose old records are useless: a job that is restored goes on with the next record,
 * not with the first one after the checkpoint, and one that falls behind skips what has waited too
 * long.
 */
final class LiveSource<T>
    implements Source<T, KafkaPartitionSplit, KafkaSourceEnumState>, ResultTypeQueryable<T> {

  private static final long serialVersionUID = 1L;

  private final KafkaSource<T> kafka;
  private final DecodingSchema<T> schema;
  private final Properties client;
  private final String clientId;

  /**
   * A source.
   *
   * @param schema the one that the Kafka source decodes with, the same object
   * @param client how to reach the broker
   * @param clientId of the further client that watches how far the source is behind
   */
  LiveSource(KafkaSource<T> kafka, DecodingSchema<T> schema, Properties client, String clientId) {
    this.kafka = kafka;
    this.schema = schema;
    this.client = client;
    this.clientId = clientId;
  }

  @Override
  public SourceReader<T, KafkaPartitionSplit> createReader(SourceReaderContext context)
      throws Exception {
    var reader = kafka.createReader(context);
    var skipper = new BacklogSkipper(client, clientId + "-" + context.getIndexOfSubtask());
    schema.skip(skipper::skips);
    return new LiveReader<>(reader, skipper);
  }

  /** Saves no offsets. */
  private record LiveReader<T>(SourceReader<T, KafkaPartitionSplit> kafka, BacklogSkipper skipper)
      implements SourceReader<T, KafkaPartitionSplit> {

    @Override
    public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
      return kafka.snapshotState(checkpointId).stream().map(LiveReader::atLatest).toList();
    }

    /** Deprecated, as which record comes next is known only to the reader: here it is to be so. */
    @SuppressWarnings("deprecation")
    private static KafkaPartitionSplit atLatest(KafkaPartitionSplit split) {
      return new KafkaPartitionSplit(split.getTopicPartition(), KafkaPartitionSplit.LATEST_OFFSET);
    }

    @Override
    public void start() {
      kafka.start();
    }

    @Override
    public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
      return kafka.pollNext(output);
    }

    @Override
    public CompletableFuture<Void> isAvailable() {
      return kafka.isAvailable();
    }

    @Override
    public void addSplits(List<KafkaPartitionSplit> splits) {
      splits.forEach(split -> skipper.add(split.getTopicPartition()));
      kafka.addSplits(splits);
    }

    @Override
    public void notifyNoMoreSplits() {
      kafka.notifyNoMoreSplits();
    }

    @Override
    public void handleSourceEvents(SourceEvent event) {
      kafka.handleSourceEvents(event);
    }

    @Override
    public void notifyCheckpointComplete(long checkpointId) throws Exception {
      kafka.notifyCheckpointComplete(checkpointId);
    }

    @Override
    public void notifyCheckpointAborted(long checkpointId) throws Exception {
      kafka.notifyCheckpointAborted(checkpointId);
    }

    @Override
    public void close() throws Exception {
      try (skipper) {
        kafka.close();
      }
    }
  }

  @Override
  public Boundedness getBoundedness() {
    return kafka.getBoundedness();
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> createEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context) {
    return kafka.createEnumerator(context);
  }

  @Override
  public SplitEnumerator<KafkaPartitionSplit, KafkaSourceEnumState> restoreEnumerator(
      SplitEnumeratorContext<KafkaPartitionSplit> context, KafkaSourceEnumState state)
      throws Exception {
    return kafka.restoreEnumerator(context, state);
  }

  @Override
  public SimpleVersionedSerializer<KafkaPartitionSplit> getSplitSerializer() {
    return kafka.getSplitSerializer();
  }

  @Override
  public SimpleVersionedSerializer<KafkaSourceEnumState> getEnumeratorCheckpointSerializer() {
    return kafka.getEnumeratorCheckpointSerializer();
  }

  @Override
  public TypeInformation<T> getProducedType() {
    return kafka.getProducedType();
  }
}
