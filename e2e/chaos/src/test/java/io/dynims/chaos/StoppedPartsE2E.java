package io.dynims.chaos;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts that hang: they keep their memory and their connections, and answer nothing. */
@ExtendWith(ChaosExtension.class)
class StoppedPartsE2E {

  private static final List<String> CONTROL_PLANE =
      List.of("controller", "kafka", "flink", "collectd");

  @Test
  void theNodeIsSafeWithoutItsController(ChaosRun chaos) throws Exception {
    chaos.run("controller stopped", Promise.NeverAboveMemory, stopped(List.of("controller")));
  }

  @Test
  void theNodeIsSafeWithoutTheWholeControlPlane(ChaosRun chaos) throws Exception {
    chaos.run(
        "controller, Kafka, job and collectd stopped",
        Promise.NeverAboveMemory,
        stopped(CONTROL_PLANE));
  }

  @Test
  void theAdapterProtectsTheNodeAfterARestartWithoutAControlPlane(ChaosRun chaos) throws Exception {
    chaos.run(
        "the same, and the adapter killed and started again",
        Promise.NeverAboveMemory,
        Fault.of(
            stack -> {
              stopped(CONTROL_PLANE).begin(stack);
              KilledPartsE2E.restartAdapter(stack);
            },
            stopped(CONTROL_PLANE)::end));
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"kafka", "flink", "collectd"})
  void theNodeIsSafeWithoutAnyPartOfTheControlPlane(String part, ChaosRun chaos) throws Exception {
    chaos.run(part + " stopped", Promise.NeverAboveMemory, stopped(List.of(part)));
  }

  /** What frees memory hangs itself: nothing is promised of the memory, all else is. */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"adapter", "alluxio-worker"})
  void aNodeWhoseAdapterOrWorkerHangsHeals(String part, ChaosRun chaos) throws Exception {
    chaos.run(part + " stopped", Promise.CorrectBytesOnly, stopped(List.of(part)));
  }

  static Fault stopped(List<String> parts) {
    return Fault.of(
        stack -> {
          for (String part : parts) {
            stack.part(part).freeze();
          }
        },
        stack -> {
          for (String part : parts) {
            stack.part(part).thaw();
          }
        });
  }
}
