package io.dynims.core.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CollectdDecoderTest {

  private static final String READER =
      """
      {"values":[1000,100,400,10,200,50,30,20],\
      "dstypes":["gauge","gauge","gauge","gauge","gauge","gauge","gauge","gauge"],\
      "dsnames":["mem_total","mem_free","mem_available","buffers","cached","shmem",\
      "s_reclaimable","s_unreclaim"],"time":1763715600.123,"interval":0.100,"host":"node-1",\
      "plugin":"dynims","plugin_instance":"","type":"dynims_memory","type_instance":""}""";

  private final CollectdDecoder decoder = new CollectdDecoder();

  @Test
  void readsTheShippedReadersValues() throws Exception {
    assertThat(decode("[" + READER + "]"))
        .containsExactly(new MemoryReading("node-1", 1763715600123L, 0, 1000, 400));
  }

  @Test
  void findsValuesByNameWhateverTheirOrder() throws Exception {
    String message =
        """
        [{"plugin":"dynims","type":"dynims_memory","host":"n","time":7.0009,"extra":{"a":[1]},\
        "meta":null,"dsnames":["new","mem_available","mem_total"],"values":[5,null,9,8]}]""";
    assertThat(decode(message.replace("null,9,8", "3,8")))
        .containsExactly(new MemoryReading("n", 7001, 0, 8, 3));
  }

  @Test
  void countsFreePagesInTheProcessorsListsAsAvailable() throws Exception {
    String message =
        """
        [{"plugin":"dynims","type":"dynims_memory","host":"n","time":7,\
        "dsnames":["mem_total","mem_available","per_cpu_free"],"values":[100,30,25]}]""";
    assertThat(decode(message)).containsExactly(new MemoryReading("n", 7000, 0, 100, 55));
    assertThat(decode(message.replace("25]", "90]")))
        .containsExactly(new MemoryReading("n", 7000, 0, 100, 100));
  }

  @Test
  void readsWhatTheTierHoldsAndForHowLongTasksHaveWaited() throws Exception {
    String message =
        """
        [{"plugin":"dynims","type":"dynims_memory","type_instance":"alluxio","host":"n","time":7,\
        "dsnames":["mem_total","mem_available","psi_some_micros","tier_used"],\
        "values":[100,30,1843984,25]}]""";
    var alluxio = new MemoryReading.TierUse("alluxio", 25);
    assertThat(decode(message))
        .containsExactly(new MemoryReading("n", 7000, 0, 100, 30, alluxio, 1_843_984L));
    assertThat(decode(message.replace("1843984,25", "null,null")))
        .containsExactly(new MemoryReading("n", 7000, 0, 100, 30));
    assertThat(decode(message.replace("\"alluxio\"", "\"\"")))
        .containsExactly(new MemoryReading("n", 7000, 0, 100, 30, null, 1_843_984L));
    assertThatThrownBy(() -> decode(message.replace("25]", "-1]")))
        .hasMessage("collectd: values: tier_used is -1.0, which is not a byte count");
  }

  @Test
  void readsHowLongANodeLeavesOutWhatHasNotChanged() throws Exception {
    String message =
        """
        [{"plugin":"dynims","type":"dynims_memory","host":"n","time":7,\
        "dsnames":["mem_total","mem_available","heartbeat","tolerance"],\
        "values":[100,30,0.5,7.25]}]""";
    assertThat(decode(message))
        .containsExactly(new MemoryReading("n", 7000, 0, 100, 30, null, null, 500, 7));
    assertThat(decode(message.replace("0.5,7.25", "null,null")))
        .as("every sample is sent")
        .containsExactly(new MemoryReading("n", 7000, 0, 100, 30));
    assertThatThrownBy(() -> decode(message.replace("0.5", "3601")))
        .hasMessage("collectd: values: heartbeat is 3601.0, which is not from 0 to 3600 seconds");
  }

  @Test
  void readsEachPartOfTheStockPlugin() throws Exception {
    String message =
        "["
            + String.join(
                ",",
                part("used", "100"),
                part("free", "200"),
                part("buffered", "10"),
                part("cached", "300"),
                part("slab_recl", "20"),
                part("slab_unrecl", "5"))
            + "]";
    MemoryReading sum = decode(message).stream().reduce(MemoryReading::plus).orElseThrow();
    assertThat(sum).isEqualTo(new MemoryReading("n", 5000, MemoryReading.ALL_PARTS, 635, 530));
  }

  @Test
  void readsSeveralValueListsOfOneMessage() throws Exception {
    assertThat(decode("[" + READER + "," + READER.replace("node-1", "node-2") + "]"))
        .extracting(MemoryReading::node)
        .containsExactly("node-1", "node-2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[]",
        "[{\"plugin\":\"cpu\",\"type\":\"cpu\",\"values\":[null]}]",
        "[{\"plugin\":\"memory\",\"type\":\"percent\",\"type_instance\":\"used\"}]",
        "[{\"plugin\":\"memory\",\"type\":\"memory\",\"type_instance\":\"available\"}]",
        "[{}]"
      })
  void passesOverWhatIsNotMemory(String message) throws Exception {
    assertThat(decode(message)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"time\":1763715600.123, | `` | time: is missing",
        "1763715600.123 | null | time: is missing",
        "1763715600.123 | -1 | time: -1.0 is not an epoch time",
        "1763715600.123 | 1e99 | time: 1.0E99 is not an epoch time",
        "\"host\":\"node-1\", | `` | host: is missing",
        "\"node-1\" | \"\" | host: is missing",
        "\"node-1\" | 5 | host: is missing",
        "\"mem_available\" | \"mem_free\" | dsnames: has no mem_available",
        "[1000,100,400, | [1000,100,null, | values: mem_available is NaN, which is not a byte count",
        "[1000, | [-1, | values: mem_total is -1.0, which is not a byte count",
        "[1000, | [1e300, | values: mem_total is 1.0E300, which is not a byte count",
        "[1000, | [0, | mem_total: is 0",
        "[1000, | [399, | mem_available: 400 is above mem_total, 399",
        "[1000,100,400,10,200,50,30,20] | [1000] | values: has no value for mem_available",
        "[1000,100,400,10,200,50,30,20] | 7 | values: is not an array"
      })
  void namesWhatIsWrong(String text, String replacement, String error) {
    assertThat(READER).contains(text);
    assertThatThrownBy(() -> decode("[" + READER.replace(text, replacement) + "]"))
        .isInstanceOf(WireException.class)
        .hasMessage("collectd: " + error);
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "5", "[5]", "[[]]", "[] []", "null"})
  void refusesWhatIsNoArrayOfValueLists(String message) {
    assertThatThrownBy(() -> decode(message))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("not an array of value lists");
  }

  @ParameterizedTest
  @ValueSource(strings = {"[{\"values\":[1,", "nonsense", "[{\"time\":NaN}]", " "})
  void refusesWhatIsNoJson(String message) {
    assertThatThrownBy(() -> decode(message)).isInstanceOf(WireException.class);
  }

  @Test
  void refusesAnEmptyMessage() {
    assertThatThrownBy(() -> decoder.decode((byte[]) null, r -> {}))
        .hasMessage("collectd: the message is empty");
    assertThatThrownBy(() -> decode("")).hasMessage("collectd: the message is empty");
  }

  @Test
  void passesOnNothingOfAMessageThatIsMalformedFurtherOnAndReadsTheNext() throws Exception {
    List<MemoryReading> out = new ArrayList<>();
    byte[] message = ("[" + READER + ",{\"plugin\":").getBytes(UTF_8);
    assertThatThrownBy(() -> decoder.decode(message, out::add)).isInstanceOf(WireException.class);
    assertThat(out).isEmpty();
    assertThat(decode("[" + READER + "]")).hasSize(1);
  }

  private List<MemoryReading> decode(String message) throws WireException {
    List<MemoryReading> out = new ArrayList<>();
    decoder.decode(message.getBytes(UTF_8), out::add);
    return out;
  }

  private static String part(String instance, String value) {
    return "{\"values\":[%s],\"dsnames\":[\"value\"],\"time\":5,\"host\":\"n\",\"plugin\":\"memory\","
            .formatted(value)
        + "\"type\":\"memory\",\"type_instance\":\"%s\"}".formatted(instance);
  }
}
