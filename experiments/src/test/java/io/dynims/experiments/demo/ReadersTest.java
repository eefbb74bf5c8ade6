package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class ReadersTest {

  private static final long SEED = 7;

  /** The readers of the demo, of {@code bench control} and of {@code bench reaction}. */
  @Test
  void aWrongByteIsFoundInItsBlockOnly() throws Exception {
    try (Readers readers = new Readers(PlantedFiles.dataSet(SEED, 2), SEED)) {
      readers.limitTo(2);
      readers.pace(Readers.UNLIMITED);
      await(() -> readers.ok() > 4);
      assertThat(readers.corrupt()).isZero();

      readers.limitTo(4);
      await(() -> readers.corrupt() > 0);
      assertThat(readers.failed()).isZero();
    }
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    assertThat(Await.until(60_000, 20, condition)).isTrue();
  }
}
