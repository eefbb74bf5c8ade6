package io.dynims.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.core.hint.HintState;
import io.dynims.core.law.LawType;
import io.dynims.core.loop.NodeLoopState;
import io.dynims.core.loop.Pending;
import io.dynims.core.loop.TierLoopState;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.MemoryReading;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Target;
import java.io.IOException;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializerConfig;
import org.apache.flink.api.common.serialization.SerializerConfigImpl;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeutils.TypeSerializer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.PipelineOptions;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** State must survive upgrades of the job, so none of it may need Kryo. */
class StateTypesTest {

  private static final SerializerConfig WITHOUT_KRYO = withoutKryo();

  @ParameterizedTest
  @ValueSource(classes = {NodeLoopState.class, MemoryReading.class, TierUpdate.class, Target.class})
  void needNoGenericSerializer(Class<?> type) {
    assertThat(TypeInformation.of(type).createSerializer(WITHOUT_KRYO)).isNotNull();
  }

  @Test
  void theCheckSeesATypeThatNeedsKryo() {
    assertThatThrownBy(() -> TypeInformation.of(Thread.class).createSerializer(WITHOUT_KRYO))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void loopStateIsReadAsItWasWritten() throws IOException {
    NodeLoopState node = new NodeLoopState();
    node.last =
        new MemoryReading(
            "n", 1, 0, 2, 3, new MemoryReading.TierUse("t", 4), 1_000_000_000_000L, 500, 6);
    node.report.impliedMillis = 101;
    node.stockParts.incomplete.add(new MemoryReading("n", 4, 1, 5, 6));
    TierLoopState tier = new TierLoopState();
    tier.policy = Samples.policy("n", "t", Mode.Enforce, LawType.Forecast);
    tier.pending = new Pending(6, 5);
    tier.ack = Samples.ack("n", "t", 7, 8);
    node.model.jobBytes = 1.5;
    node.model.stillMillis = 2.5;
    HintState hint = new HintState();
    hint.hint = new Hint("job", 1, 2, 3);
    hint.begun = true;
    hint.takenBytes = 4;
    node.hints.byOwner.put("job", hint);
    node.hints.hintedBytes = 5;
    node.hints.jobs.bytes = 6;
    node.moving = true;
    node.report.model = node.model.clone();
    node.report.dueMillis = 10;
    node.report.tierUsedBytes.put("t", 11L);
    node.tiers.put("t", tier);
    node.tiers.put("empty", new TierLoopState());
    assertThat(copy(node, NodeLoopState.class)).usingRecursiveComparison().isEqualTo(node);
    assertThat(copy(new NodeLoopState(), NodeLoopState.class))
        .usingRecursiveComparison()
        .isEqualTo(new NodeLoopState());
  }

  @Test
  void anAckWithHintsIsReadAsItWasWritten() throws IOException {
    Ack ack = Samples.ack("n", "t", 7, List.of(new Hint("job", 1, 2, 3), new Hint("b", 4, 5, 6)));
    assertThat(copy(TierUpdate.of(ack), TierUpdate.class)).isEqualTo(TierUpdate.of(ack));
  }

  @Test
  void aWithdrawalIsReadAsItWasWritten() throws IOException {
    TierUpdate update = new TierUpdate("n", "t", null, null);
    assertThat(copy(update, TierUpdate.class)).isEqualTo(update);
  }

  private static <T> T copy(T value, Class<T> type) throws IOException {
    TypeSerializer<T> serializer = TypeInformation.of(type).createSerializer(WITHOUT_KRYO);
    DataOutputSerializer out = new DataOutputSerializer(256);
    serializer.serialize(value, out);
    return serializer.deserialize(new DataInputDeserializer(out.getCopyOfBuffer()));
  }

  private static SerializerConfig withoutKryo() {
    Configuration configuration = new Configuration();
    configuration.set(PipelineOptions.GENERIC_TYPES, false);
    return new SerializerConfigImpl(configuration);
  }
}
