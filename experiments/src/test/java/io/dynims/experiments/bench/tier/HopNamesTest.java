package io.dynims.experiments.bench.tier;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class HopNamesTest {

  private static final long END_MILLIS = 10_000;
  private static final float MICROS = 5_000;

  private final HopNames names =
      new HopNames(AccessKind.Native, List.of(new HopNames.Interval(20_000, 20_050)));

  @Test
  void whatTookMostOfTheTimeInTheReaderIsNamedFirst() {
    assertThat(names.of(new SlowAccess(END_MILLIS, MICROS, 4, 0, 3, true)))
        .isEqualTo("garbage collection of the reader");
    assertThat(names.of(new SlowAccess(END_MILLIS, MICROS, 0, 4_000, 3, true)))
        .isEqualTo("wait for a processor");
  }

  @Test
  void smallDelaysExplainNothing() {
    assertThat(names.of(new SlowAccess(END_MILLIS, MICROS, 1, 1_000, 0, false)))
        .isEqualTo("client or worker, same block");
  }

  @Test
  void theUnderStoreIsNamedIfAnybodyAskedIt() {
    assertThat(names.of(new SlowAccess(END_MILLIS, MICROS, 0, 0, 1, true)))
        .isEqualTo("under store");
  }

  @Test
  void aResizeIsNamedIfTheAccessWasThen() {
    assertThat(names.of(new SlowAccess(20_020, MICROS, 0, 0, 0, true)))
        .isEqualTo("worker, during a resize");
    // From before the resize on.
    assertThat(names.of(new SlowAccess(20_002, MICROS, 0, 0, 0, true)))
        .isEqualTo("worker, during a resize");
    assertThat(names.of(new SlowAccess(20_080, MICROS, 0, 0, 0, true)))
        .isEqualTo("worker, stream of another block");
  }

  @Test
  void blocksAreAlluxios() {
    HopNames tmpfs = new HopNames(AccessKind.Tmpfs, List.of());
    assertThat(tmpfs.of(new SlowAccess(END_MILLIS, MICROS, 0, 0, 0, true))).isEqualTo("kernel");
  }

  @Test
  void timesOfAThreadAreRead() {
    assertThat(AccessWatch.waitNanos("123456 7890 12\n")).isEqualTo(7_890);
    assertThat(AccessWatch.waitNanos("")).isZero();
  }
}
