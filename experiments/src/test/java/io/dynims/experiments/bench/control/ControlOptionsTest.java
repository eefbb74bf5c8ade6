package io.dynims.experiments.bench.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.cli.stack.StackStore;
import io.dynims.core.law.LawType;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ControlOptionsTest {

  @ParameterizedTest
  @EnumSource(
      value = StackStore.class,
      names = {"Redis", "Memcached"})
  void aTierThatCannotBeEmptiedRunsAllLoadsButTheOneThatNeedsIt(StackStore store) {
    assertThat(Arrays.stream(ControlLoad.values()).filter(load -> !load.runsOn(store)))
        .containsExactly(ControlLoad.HalfEmpty);
    assertThatThrownBy(
            () ->
                new ControlOptions(
                    store, List.of(LawType.Forecast), List.of(ControlLoad.HalfEmpty), 1, true))
        .hasMessage("half-empty runs on Alluxio only");
  }
}
