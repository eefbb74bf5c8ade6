package io.dynims.chaos;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.dynims.core.wire.Topics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody writes more samples beside the agent's: the same ones again, late ones, false ones. */
@Tag("long")
@ExtendWith(ChaosExtension.class)
class SamplesE2E {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int BATCH = 5;
  private static final int LATE = 30;

  /** What is made of the agent's samples, in order of arrival. */
  enum Mischief {
    /** Each one twice more. */
    Duplicated {
      @Override
      void accept(byte[] sample, List<byte[]> held, List<byte[]> out) {
        out.addAll(List.of(sample, sample));
      }
    },
    /** Five at a time, the last one first. */
    Reordered {
      @Override
      void accept(byte[] sample, List<byte[]> held, List<byte[]> out) {
        held.add(sample);
        if (held.size() == BATCH) {
          Collections.reverse(held);
          out.addAll(held);
          held.clear();
        }
      }
    },
    /** Each one again, three seconds later. */
    Late {
      @Override
      void accept(byte[] sample, List<byte[]> held, List<byte[]> out) {
        held.add(sample);
        if (held.size() > LATE) {
          out.add(held.remove(0));
        }
      }
    },
    /** After each one a newer one, newer than the next true one too: only a GiB is in use. */
    Lying {
      @Override
      void accept(byte[] sample, List<byte[]> held, List<byte[]> out) throws IOException {
        out.add(lie(sample));
      }
    };

    abstract void accept(byte[] sample, List<byte[]> held, List<byte[]> out) throws IOException;
  }

  @ParameterizedTest
  @EnumSource
  void theNodeIsSafe(Mischief mischief, ChaosRun chaos) throws Exception {
    Forger[] forger = {null};
    chaos.run(
        "samples " + mischief.name().toLowerCase(java.util.Locale.ROOT),
        Promise.NeverAboveMemory,
        Fault.of(
            stack -> forger[0] = new Forger(stack.settings().kafkaAddress(), mischief),
            stack -> forger[0].close()));
  }

  /** The sample 150 ms later, with all memory available but a GiB. */
  private static byte[] lie(byte[] sample) throws IOException {
    JsonNode message = JSON.readTree(sample);
    ObjectNode list = (ObjectNode) message.get(0);
    list.put("time", list.get("time").asDouble() + 0.150);
    List<String> names = new ArrayList<>();
    list.get("dsnames").forEach(name -> names.add(name.asText()));
    ArrayNode values = (ArrayNode) list.get("values");
    double totalBytes = values.get(names.indexOf("mem_total")).asDouble();
    values.set(names.indexOf("mem_available"), JSON.valueToTree(totalBytes - (1L << 30)));
    return JSON.writeValueAsBytes(message);
  }

  /** Reads the agent's samples and writes its own. */
  private static final class Forger implements AutoCloseable {

    /** Marks its own samples, so that it does not make more of them. */
    private static final String MARK = "forged";

    private final String brokers;
    private final Mischief mischief;
    private final Thread thread = new Thread(this::run, "forger");
    private volatile boolean closed;

    Forger(String brokers, Mischief mischief) {
      this.brokers = brokers;
      this.mischief = mischief;
      thread.setDaemon(true);
      thread.start();
    }

    private void run() {
      List<byte[]> held = new ArrayList<>();
      List<byte[]> out = new ArrayList<>();
      Map<String, Object> common = Map.of("bootstrap.servers", brokers);
      try (KafkaConsumer<byte[], byte[]> consumer =
              new KafkaConsumer<>(
                  common, new ByteArrayDeserializer(), new ByteArrayDeserializer());
          KafkaProducer<byte[], byte[]> producer =
              new KafkaProducer<>(common, new ByteArraySerializer(), new ByteArraySerializer())) {
        List<TopicPartition> partitions =
            consumer.partitionsFor(Topics.METRICS).stream()
                .map(info -> new TopicPartition(info.topic(), info.partition()))
                .toList();
        consumer.assign(partitions);
        consumer.seekToEnd(partitions);
        while (!closed) {
          for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(50))) {
            if (record.headers().lastHeader(MARK) == null) {
              mischief.accept(record.value(), held, out);
              for (byte[] forged : out) {
                ProducerRecord<byte[], byte[]> mine =
                    new ProducerRecord<>(Topics.METRICS, record.partition(), record.key(), forged);
                mine.headers().add(MARK, MARK.getBytes(UTF_8));
                var unused = producer.send(mine);
              }
              out.clear();
            }
          }
        }
      } catch (IOException e) {
        throw new IllegalStateException("the agent's samples are not as expected", e);
      }
    }

    @Override
    public void close() throws InterruptedException {
      closed = true;
      thread.join();
    }
  }
}
