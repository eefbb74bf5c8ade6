package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.law.LawInput;
import io.dynims.core.law.NodeModel;
import io.dynims.core.wire.Ack;
import io.dynims.core.wire.AckStatus;
import io.dynims.core.wire.Hint;
import io.dynims.core.wire.Mode;
import io.dynims.core.wire.Target;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Hints, on a node whose jobs hold 300 bytes of 1,000, and its tier 400. */
class NodeLoopHintTest extends NodeLoopHarness {

  private static final long TIER = 400;

  private long millis = START;

  @BeforeEach
  void settle() {
    know(POLICY);
    for (int i = 0; i < 5; i++) {
      tick(300);
    }
  }

  @Test
  void theLawCountsWhatAHintAnnouncesAsTaken() {
    assertThat(tick(300).hintedBytes()).isNull();

    Target target = tick(300, hint("job", 200));

    var expected = POLICY.decide(new LawInput(TIER, TIER, 900, 1_000, millis), new NodeModel());
    assertThat(target.desiredBytes()).isEqualTo(expected.desiredBytes());
    assertThat(target.hintedBytes()).isEqualTo(200);
    assertThat(target.memoryUsedBytes()).as("v itself").isEqualTo(700);
    assertThat(target.utilization()).isEqualTo(0.7);
    assertThat(target.reason()).contains("below the threshold", "hints announce 200 bytes");
  }

  @Test
  void aHintIsTakenAsFarAsTheJobsHaveGrownOnce() {
    Hint hint = hint("job", 200);
    tick(300, hint);

    assertThat(tick(380, hint).hintedBytes()).isEqualTo(120);
    assertThat(tick(350, hint).hintedBytes()).isEqualTo(120);
    assertThat(tick(380, hint).hintedBytes()).isEqualTo(120);
    assertThat(tick(450, hint).hintedBytes()).isEqualTo(50);
    assertThat(tick(500, hint).hintedBytes()).isNull();
    assertThat(tick(300, hint).hintedBytes()).as("it has been taken").isNull();
  }

  @Test
  void whatTheJobsTookJustBeforeTheLoopKnewCounts() {
    tick(380);

    assertThat(tick(400, hint("job", 200)).hintedBytes()).isEqualTo(100);
  }

  @Test
  void whatTheJobsTookWhileTheNodeWasSilentIsNoPartOfAHintThatBeginsLater() {
    millis += 60_000;
    Hint hint = new Hint("job", 200, millis, millis + 60_000);
    tick(450, hint);

    assertThat(tick(450, hint).hintedBytes()).isEqualTo(200);
  }

  @Test
  void whatOtherJobsGiveBackFirstIsNotMissedLater() {
    Hint hint = hint("job", 200);
    tick(300, hint);

    assertThat(tick(100, hint).hintedBytes()).isEqualTo(200);
    assertThat(tick(250, hint).hintedBytes()).isEqualTo(50);
    assertThat(tick(300, hint).hintedBytes()).isNull();
  }

  @Test
  void aRisePaysForTheHintThatBeganFirst() {
    Hint first = hint("first", 200);
    Hint second = new Hint("second", 100, first.startMillis() + 1_000, START + 60_000);
    assertThat(tick(300, first, second).hintedBytes()).isEqualTo(200);
    assertThat(tick(450, first, second).hintedBytes()).isEqualTo(50);
    millis = second.startMillis();
    tick(450, first, second);

    assertThat(tick(450, first, second).hintedBytes()).isEqualTo(150);
    assertThat(tick(500, first, second).hintedBytes()).isEqualTo(100);
    assertThat(tick(550, first, second).hintedBytes()).isEqualTo(50);
    assertThat(tick(600, first, second).hintedBytes()).isNull();
  }

  @Test
  void aHintBeginsAtItsStartAndEndsAtItsExpiry() {
    Hint later = new Hint("job", 200, millis + 300, millis + 500);

    assertThat(tick(300, later).hintedBytes()).isNull();
    assertThat(tick(300, later).hintedBytes()).isNull();
    assertThat(tick(300, later).hintedBytes()).isEqualTo(200);
    assertThat(tick(300, later).hintedBytes()).isEqualTo(200);
    assertThat(tick(300, later).hintedBytes()).isNull();
  }

  @Test
  void aHintThatIsNotToldAnyMoreHasEnded() {
    tick(300, hint("job", 200));

    assertThat(tick(300).hintedBytes()).isNull();
    assertThat(state.hints.byOwner).isEmpty();
  }

  @Test
  void anotherHintOfAnOwnerReplacesItAndBeginsAnew() {
    Hint first = hint("job", 200);
    tick(300, first);
    for (int i = 0; i < 25; i++) {
      tick(500, first);
    }

    assertThat(tick(500, hint("job", 100)).hintedBytes()).isEqualTo(100);
  }

  @Test
  void samplesWhileTheTierMovesTellNothingOfTheJobs() {
    Hint hint = hint("job", 200);
    tick(300, hint);

    // The tier has freed 200, but the kernel counts them as in use for one sample more.
    assertThat(sampled(700, TIER - 200, hint).hintedBytes()).isEqualTo(200);
    assertThat(sampled(500, TIER - 200, hint).hintedBytes()).isEqualTo(200);
    assertThat(sampled(500, TIER - 200, hint).hintedBytes()).isEqualTo(200);
    assertThat(sampled(600, TIER - 200, hint).hintedBytes()).isEqualTo(100);
  }

  @Test
  void nothingIsAnnouncedBeyondTheNodesMemory() {
    assertThat(tick(300, hint("job", 5_000), hint("other", 5_000)).hintedBytes()).isEqualTo(1_000);
  }

  @Test
  void aHintThatSeveralTiersTellCountsOnce() {
    Hint hint = hint("job", 200);
    know(policy("b", Mode.Recommend));
    know(ack("b", 0, hint));
    tick(300, hint);
    fresh();
    millis += 100;
    at(millis);
    know(ack("a", TIER, hint));
    know(ack("b", 0, hint));
    sample(millis, 700, TIER, null);

    assertThat(fresh()).hasSize(2).allMatch(target -> target.hintedBytes() == 200);
  }

  private Hint hint(String owner, long bytes) {
    return new Hint(owner, bytes, millis, START + 60_000);
  }

  /** A sample where the tier has not moved. */
  private Target tick(long jobBytes, Hint... hints) {
    return sampled(jobBytes + TIER, TIER, hints);
  }

  private Target sampled(long usedBytes, long tierBytes, Hint... hints) {
    millis += 100;
    at(millis);
    know(ack("a", TIER, hints));
    sample(millis, usedBytes, tierBytes, null);
    List<Target> decisions = fresh();
    return decisions.get(0);
  }

  private static Ack ack(String tier, long usedBytes, Hint... hints) {
    return new Ack(
        NODE,
        tier,
        usedBytes,
        usedBytes,
        usedBytes,
        null,
        null,
        null,
        AckStatus.Applied,
        "",
        0,
        0,
        List.of(hints),
        null,
        null);
  }
}
