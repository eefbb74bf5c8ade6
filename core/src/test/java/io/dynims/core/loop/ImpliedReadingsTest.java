package io.dynims.core.loop;

import static io.dynims.core.loop.NodeLoopHarness.NODE;
import static io.dynims.core.loop.NodeLoopHarness.POLICY;
import static io.dynims.core.loop.NodeLoopHarness.START;
import static io.dynims.core.loop.NodeLoopHarness.ack;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.MemoryReading;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a node with one tier, which decides each 100 ms, leaves out after a report. */
class ImpliedReadingsTest {

  private final NodeLoopState node = new NodeLoopState();
  private final TierLoopState tier = new TierLoopState();
  private final ImpliedReadings implied = new ImpliedReadings(node);

  @BeforeEach
  void report() {
    tier.follow(POLICY);
    tier.accept(ack("a", 500, 400), START);
    node.tiers.put("a", tier);
    MemoryReading report = reading(500);
    node.accept(report, START);
    node.report.keep(node, report);
  }

  @Test
  void aNodeThatSendsEverySampleLeavesNoneOut() {
    assertThat(implied.stand()).isTrue();
    node.accept(reading(0), START);
    assertThat(implied.stand()).isFalse();
    assertThat(implied.by(START + 450)).isEmpty();
  }

  @Test
  void aSilentNodeLeavesNoneOut() {
    node.silent = true;
    assertThat(implied.stand()).isFalse();
    assertThat(implied.by(START + 450)).isEmpty();
  }

  @Test
  void oneIsLeftOutEachIntervalOnceItWouldHaveComeThoughHalfAnIntervalLate() {
    assertThat(after(implied.by(START + 149))).isEmpty();
    assertThat(after(implied.by(START + 150))).containsExactly(100L);
    assertThat(after(implied.by(START + 350))).containsExactly(100L, 200L, 300L);
    assertThat(implied.dueMillis(START + 1)).isEqualTo(START + 150);
  }

  @Test
  void noneIsLeftOutOnceAHeartbeatIsDue() {
    assertThat(after(implied.by(START + 600))).containsExactly(100L, 200L, 300L, 400L);
    assertThat(after(implied.by(START + 601))).as("the report is overdue").isEmpty();
  }

  @Test
  void whatTheLawHasSeenIsNotShownAgain() {
    node.report.impliedMillis = START + 200;
    assertThat(after(implied.by(START + 450))).containsExactly(300L, 400L);
    assertThat(implied.current().sampledMillis()).isEqualTo(START + 200);
    assertThat(implied.isOutrun(START + 240)).isTrue();
    assertThat(implied.isOutrun(START + 250)).isFalse();

    node.rollBack();
    assertThat(implied.current()).isEqualTo(node.last);
    assertThat(after(implied.before(START + 250))).containsExactly(100L, 200L);
  }

  @Test
  void theyHoldWhatTheTierHasToldSince() {
    tier.accept(ack("a", 500, 409), START + 10);
    MemoryReading first = implied.by(START + 150).get(0);

    assertThat(first.usedBytes(0)).isEqualTo(709);
    assertThat(first.tierUse().usedBytes()).isEqualTo(409);
  }

  @Test
  void aTierThatRoseBeyondTheToleranceIsReported() {
    tier.accept(ack("a", 500, 411), START + 10);

    assertThat(implied.by(START + 150)).as("the report is on its way").isEmpty();
    MemoryReading first = implied.before(START + 150).get(0);
    assertThat(first.usedBytes(0)).as("they measure differently").isEqualTo(700);
    assertThat(first.tierUse().usedBytes()).isEqualTo(400);
  }

  private static List<Long> after(List<MemoryReading> readings) {
    return readings.stream().map(each -> each.sampledMillis() - START).toList();
  }

  private static MemoryReading reading(long heartbeatMillis) {
    var tierUse = new MemoryReading.TierUse("a", 400);
    return new MemoryReading(
        NODE, START, MemoryReading.WHOLE, 1_000, 300, tierUse, null, heartbeatMillis, 10);
  }
}
