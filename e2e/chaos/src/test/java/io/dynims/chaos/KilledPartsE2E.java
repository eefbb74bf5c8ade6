package io.dynims.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.demo.Await;
import io.dynims.tier.TierClient;
import io.dynims.tier.TierReply;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parts that die. Those of the control plane stay away until the burst is over. */
@ExtendWith(ChaosExtension.class)
class KilledPartsE2E {

  /** RestartSec of agents/systemd/dynims-alluxio-adapter.service. */
  private static final long RESTART_MILLIS = 50;

  private static final long RESERVED_WITHIN_MILLIS = 60_000;
  private static final long POLL_MILLIS = 20;

  /** In the middle of a shrink: while the burst rises, and the tier makes room for it. */
  @Test
  void anAdapterThatDiesWhileItReservesReservesAgain(ChaosRun chaos) throws Exception {
    chaos.run(
        "adapter killed while it shrinks the tier, started again at once",
        Promise.CorrectBytesOnly,
        Fault.of(stack -> {}, stack -> {}).andAtHalf(KilledPartsE2E::restartAdapter));
  }

  @Tag("long")
  @Test
  void theSameWithoutAControlPlane(ChaosRun chaos) throws Exception {
    Fault stopped = StoppedPartsE2E.stopped(List.of("controller", "kafka", "flink", "collectd"));
    chaos.run(
        "controller, Kafka, job and collectd stopped; adapter killed while it shrinks the tier",
        Promise.CorrectBytesOnly,
        stopped.andAtHalf(KilledPartsE2E::restartAdapter));
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"controller", "kafka", "flink", "collectd"})
  void theNodeIsSafeWhenAPartOfTheControlPlaneDies(String part, ChaosRun chaos) throws Exception {
    chaos.run(part + " killed", Promise.NeverAboveMemory, killed(List.of(part)));
  }

  @Tag("long")
  @Test
  void theNodeIsSafeWhenTheWholeControlPlaneDies(ChaosRun chaos) throws Exception {
    chaos.run(
        "controller, Kafka, job and collectd killed",
        Promise.NeverAboveMemory,
        killed(List.of("kafka", "controller", "flink", "collectd")));
  }

  @Tag("long")
  @Test
  void aNodeWhoseWorkerDiesHeals(ChaosRun chaos) throws Exception {
    chaos.run(
        "alluxio-worker killed during the burst",
        Promise.CorrectBytesOnly,
        Fault.of(stack -> {}, stack -> stack.part("alluxio-worker").start())
            .andAtHalf(stack -> stack.part("alluxio-worker").kill()));
  }

  /**
   * Kills the adapter, starts it as systemd does, and waits until it holds memory back from the
   * worker again.
   */
  static void restartAdapter(ChaosStack stack) throws Exception {
    long startNanos = System.nanoTime();
    stack.part("adapter").kill();
    Thread.sleep(RESTART_MILLIS);
    stack.part("adapter").start();
    TierClient client = stack.clients().tier();
    boolean reserved =
        Await.until(
            RESERVED_WITHIN_MILLIS,
            POLL_MILLIS,
            () -> {
              try {
                TierReply reply = client.get();
                return reply.tier() != null && reply.tier().reservedBytes() > 0;
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return true;
              }
            });
    assertThat(reserved).as("the adapter holds memory back again").isTrue();
    stack
        .witness()
        .tell(
            String.format(
                Locale.ROOT,
                "reserved %.1f s after the adapter's death",
                (System.nanoTime() - startNanos) / 1e9));
  }

  private static Fault killed(List<String> parts) {
    return Fault.of(
        stack -> {
          for (String part : parts) {
            stack.part(part).kill();
          }
        },
        stack -> {
          for (String part : parts) {
            stack.part(part).start();
          }
        });
  }
}
