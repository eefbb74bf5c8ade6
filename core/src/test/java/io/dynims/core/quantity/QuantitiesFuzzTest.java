package io.dynims.core.quantity;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.DictionaryEntries;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.dynims.core.fuzz.SeedCorpus;
import io.dynims.core.fuzz.SeedCorpus.Outcome;
import io.dynims.core.law.MemorySize;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class QuantitiesFuzzTest {

  @FuzzTest
  @DictionaryEntries({"Ki", "Mi", "Gi", "Ti", "ms", "%", ".5", "100%", "9223372036854775807"})
  void textIsRefusedOrGivesAQuantityInRange(byte[] text) {
    check(text);
  }

  @Test
  void keptInputsAreRefusedOrAccepted() throws Exception {
    SeedCorpus.requireBothOutcomes(
        getClass(), "textIsRefusedOrGivesAQuantityInRange", QuantitiesFuzzTest::check);
  }

  private static Outcome check(byte[] input) {
    String text = new String(input, UTF_8);
    List<String> read = new ArrayList<>();
    read(
        text,
        read,
        each -> {
          long bytes = Quantities.bytes(each);
          assertThat(bytes).isNotNegative().isEqualTo(Quantities.bytes(Long.toString(bytes)));
        });
    read(
        text,
        read,
        each -> {
          long millis = Quantities.millis(each);
          assertThat(millis).isNotNegative().isEqualTo(Quantities.millis(millis + "ms"));
        });
    read(text, read, each -> assertThat(Quantities.ratio(each)).isBetween(0.0, 1.0));
    read(
        text,
        read,
        each -> {
          MemorySize size = Quantities.memorySize(each);
          assertThat(size.of(1_000_000)).isNotNegative();
          assertThat(size.ratio() == null).isEqualTo(!Quantities.isPercentage(each));
        });
    return read.isEmpty() ? Outcome.Refused : Outcome.Accepted;
  }

  private static void read(String text, List<String> read, Consumer<String> reader) {
    try {
      reader.accept(text);
      read.add(text);
    } catch (IllegalArgumentException e) {
      assertThat(e).isExactlyInstanceOf(IllegalArgumentException.class);
      assertThat(e.getMessage()).startsWith("'").contains("' is not ");
    }
  }
}
