package io.dynims.experiments.bench.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.WireCodec;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

class MessagesTest {

  @Test
  void encodesASampleAsCollectdDoes() throws Exception {
    byte[] message = new NodeSamples(12).encode(11, 1_700_000_000_042L, 40_000_000_000L);

    JsonNode list = new ObjectMapper().readTree(message).get(0);
    assertThat(list.path("host").asText()).isEqualTo("node-11");
    assertThat(list.path("time").decimalValue().toPlainString()).isEqualTo("1700000000.042");
    assertThat(list.path("values")).hasSameSizeAs(list.path("dsnames"));
    assertThat(list.path("values")).hasSameSizeAs(list.path("dstypes"));
    int available =
        StreamSupport.stream(list.path("dsnames").spliterator(), false)
            .map(JsonNode::asText)
            .toList()
            .indexOf("mem_available");
    assertThat(list.path("values").get(available).asLong())
        .isEqualTo(ModelNodes.TOTAL_BYTES - 40_000_000_000L);
  }

  @Test
  void tellsTheFiguresOfANodeThatReportsByException() throws Exception {
    byte[] message = NodeSamples.byException(1).encode(0, 1_700_000_000_042L, 40_000_000_000L);

    JsonNode list = new ObjectMapper().readTree(message).get(0);
    int last = list.path("values").size() - 1;
    assertThat(list.path("dsnames").get(last - 1).asText()).isEqualTo("heartbeat");
    assertThat(list.path("values").get(last - 1).asDouble()).isEqualTo(0.5);
    assertThat(list.path("values").get(last).asLong()).isEqualTo(125_000_000);
  }

  @Test
  void findsTheSampleTimeOfAnAck() {
    byte[] ack =
        WireCodec.ACK.encode(
            new Ack("node-3", "alluxio", 5, 4, 3, AckStatus.Applied, "", 1_234, 1_240));

    assertThat(AckRecorder.sampledMillis(ack)).isEqualTo(1_234);
    assertThat(AckRecorder.sampledMillis("{}".getBytes(UTF_8))).isZero();
  }

  @Test
  void findsTheNumberOfTheNodeInAKey() {
    assertThat(NodeSamples.number((NodeSamples.name(4_321) + "/alluxio").getBytes(UTF_8)))
        .isEqualTo(4_321);
  }
}
