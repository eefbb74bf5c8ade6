package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.MemoryReading;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class StockPartsTest {

  private final StockParts parts = new StockParts();
  private final List<Integer> givenUp = new ArrayList<>();
  private final LoopObserver observer =
      new LoopObserver() {
        @Override
        public void refused(Refusal refusal, int count) {
          assertThat(refusal).isEqualTo(Refusal.Incomplete);
          if (count > 0) {
            givenUp.add(count);
          }
        }
      };

  @Test
  void aWholeReadingPassesAsItIs() {
    var whole = new MemoryReading("n", 10, MemoryReading.WHOLE, 1_000, 300);
    assertThat(join(whole)).isSameAs(whole);
  }

  @Test
  void sixPartsAreOneReadingInWhateverOrderTheyCome() {
    List<Integer> order = new ArrayList<>(List.of(0, 1, 2, 3, 4, 5));
    Collections.shuffle(order, new Random(1));
    for (int part : order.subList(0, 5)) {
      assertThat(join(part(10, part))).isNull();
      assertThat(join(part(10, part))).as("a part that is here already").isNull();
    }
    MemoryReading joined = join(part(10, order.get(5)));

    assertThat(joined).isEqualTo(new MemoryReading("n", 10, MemoryReading.ALL_PARTS, 2_100, 1_500));
    assertThat(parts.incomplete).isEmpty();
    assertThat(givenUp).isEmpty();
  }

  @Test
  void partsOfMoreThanFourInstantsAreGivenUpTheOldestFirst() {
    for (long millis = 10; millis <= 40; millis += 10) {
      join(part(millis, 0));
    }
    assertThat(givenUp).isEmpty();
    join(part(50, 0));
    join(part(60, 0));

    assertThat(givenUp).containsExactly(1, 1);
    assertThat(instants()).containsExactly(30L, 40L, 50L, 60L);
  }

  @Test
  void whatIsOlderThanACompleteReadingIsGivenUp() {
    for (long millis = 10; millis <= 40; millis += 10) {
      join(part(millis, 0));
    }
    for (int part = 1; part < 6; part++) {
      join(part(30, part));
    }
    assertThat(givenUp).containsExactly(2);
    assertThat(instants()).containsExactly(40L);

    join(new MemoryReading("n", 40, MemoryReading.WHOLE, 1_000, 300));
    assertThat(givenUp).containsExactly(2, 1);
    assertThat(instants()).isEmpty();
  }

  private MemoryReading join(MemoryReading reading) {
    return parts.join(reading, observer);
  }

  private List<Long> instants() {
    return parts.incomplete.stream().map(MemoryReading::sampledMillis).toList();
  }

  /** Of 100 to 600 bytes; those of parts 0 and 5 are in use. */
  private static MemoryReading part(long sampledMillis, int part) {
    long bytes = part == 5 ? 500 : part == 0 ? 100 : 375;
    return new MemoryReading(
        "n", sampledMillis, 1 << part, bytes, part == 0 || part == 5 ? 0 : bytes);
  }
}
