package io.dynims.adapter;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.adapter.Balloon.Outcome;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.BeforeTry;

class BalloonTest {

  private static final long MAX = 1L << 30;
  private static final long SLICE = 32L << 20;
  private static final long PIECE = 1L << 20;
  private static final long BUDGET_NANOS = 500_000_000;

  private FakeStore store;
  private Balloon balloon;

  @BeforeTry
  void start() {
    FakeStore fresh = new FakeStore(MAX);
    store = fresh;
    balloon = new Balloon(fresh, fresh::freeBytes, SLICE, () -> fresh.nowNanos);
  }

  /** Sizes of every order of magnitude. */
  @Provide
  Arbitrary<List<Long>> sizes() {
    Arbitrary<Long> near =
        Arbitraries.of(0L, 1L, PIECE - 1, PIECE, SLICE - 1, SLICE, SLICE + 1, MAX - 1, MAX);
    return Arbitraries.oneOf(near, Arbitraries.longs().between(0, MAX))
        .list()
        .ofMinSize(1)
        .ofMaxSize(40);
  }

  @Property(tries = 300)
  void reservesExactlyTheTargetWhateverCameBefore(
      @ForAll("sizes") List<Long> sizes, @ForAll boolean full) throws Exception {
    for (long target : sizes) {
      if (full) {
        store.fill();
      }

      assertThat(balloon.resize(target, BUDGET_NANOS)).isEqualTo(Outcome.Exact);

      assertThat(balloon.reservedBytes()).isEqualTo(target);
      assertThat(store.reservedBytes()).isEqualTo(target);
    }
    assertThat(store.refusals).isZero();
  }

  @Property(tries = 300)
  void shrinkingTheTierNeverEnlargesItOnTheWay(@ForAll("sizes") List<Long> sizes) throws Exception {
    for (long target : sizes) {
      store.fill();
      long before = MAX - balloon.reservedBytes();
      store.capacities.clear();
      balloon.resize(target, BUDGET_NANOS);

      if (MAX - target <= before) {
        assertThat(store.capacities).allMatch(capacity -> capacity <= before);
      }
    }
  }

  @Property(tries = 300)
  void growingTheTierNeverExceedsTheDesiredCapacityWhileThereIsFreeSpace(
      @ForAll("sizes") List<Long> sizes) throws Exception {
    for (long target : sizes) {
      store.capacities.clear();
      long before = balloon.reservedBytes();
      balloon.resize(target, BUDGET_NANOS);

      if (target <= before && before <= MAX - SLICE) {
        assertThat(store.capacities).allMatch(capacity -> capacity <= MAX - target);
      }
    }
  }

  @Property(tries = 300)
  void growingAFullTierEvictsNothing(@ForAll("sizes") List<Long> sizes) throws Exception {
    for (long target : sizes) {
      store.fill();
      long before = balloon.reservedBytes();
      store.evictedBytes = 0;
      balloon.resize(target, BUDGET_NANOS);

      assertThat(store.evictedBytes).isEqualTo(Math.max(0, target - before));
    }
  }

  @Property(tries = 300)
  void smallStepsStaySmallOnTheWay(
      @ForAll @Size(60) List<@LongRange(min = -1 << 20, max = 1 << 20) Long> steps)
      throws Exception {
    balloon.resize(MAX / 2, BUDGET_NANOS);
    balloon.resize(MAX / 2 - 1, BUDGET_NANOS); // Splits a slice.
    long target = MAX / 2 - 1;
    for (long step : steps) {
      store.fill();
      target -= step;
      store.capacities.clear();
      balloon.resize(target, BUDGET_NANOS);

      long most = MAX - target + SLICE;
      assertThat(store.capacities).allMatch(capacity -> capacity <= most);
    }
    assertThat(balloon.depth()).isLessThan(2 * (int) (MAX / SLICE) + 16);
  }

  @Property(tries = 300)
  void aStepEvictsAQuarterOfASliceAtOnceOrAnEighthOfTheStepIfThatIsMore(
      @ForAll @LongRange(min = 1, max = MAX) long step) throws Exception {
    store.fill();
    balloon.resize(step, BUDGET_NANOS);

    long most = Math.min(SLICE, Math.max(SLICE / 4, step / 8));
    assertThat(store.capacities.get(0)).isEqualTo(MAX - Math.min(step, most));
    for (int i = 1; i < store.capacities.size(); i++) {
      assertThat(store.capacities.get(i - 1) - store.capacities.get(i)).isBetween(1L, most);
    }
    assertThat(store.capacities).hasSize((int) ((step + most - 1) / most));
  }

  @Example
  void aLongRampOfSmallStepsKeepsTheStackShort() throws Exception {
    for (long target = 0; target <= MAX; target += 100_003) {
      balloon.resize(target, BUDGET_NANOS);
    }

    assertThat(balloon.depth()).isLessThanOrEqualTo((int) (MAX / SLICE) * 2);
  }

  @Property(tries = 200)
  void reservesWhatIsNotPinnedAndTheRestOnceItIsUnpinned(
      @ForAll @LongRange(min = 0, max = MAX) long pinned,
      @ForAll @LongRange(min = 0, max = MAX) long target)
      throws Exception {
    store.fill();
    store.pinnedBytes = pinned;
    Outcome outcome = balloon.resize(target, BUDGET_NANOS);

    if (target <= MAX - pinned) {
      assertThat(outcome).isEqualTo(Outcome.Exact);
      assertThat(store.refusals).isZero();
    } else {
      assertThat(outcome).isEqualTo(Outcome.Refused);
      assertThat(MAX - pinned - balloon.reservedBytes()).isBetween(0L, PIECE);
    }

    store.pinnedBytes = 0;
    assertThat(balloon.resize(target, BUDGET_NANOS)).isEqualTo(Outcome.Exact);
    assertThat(store.reservedBytes()).isEqualTo(target);
  }

  @Example
  void requestsOnlyOncePerCallWhileNothingCanBeEvicted() throws Exception {
    store.fill();
    store.pinnedBytes = MAX;
    balloon.resize(MAX / 2, BUDGET_NANOS);
    store.refusals = 0;

    balloon.resize(MAX / 2, BUDGET_NANOS);

    assertThat(store.refusals).isEqualTo(1);
    assertThat(store.held).isEmpty();
  }

  @Example
  void stopsWhenTheTimeIsUpAndContinuesWithTheNextCall() throws Exception {
    store.nanosPerRequest = BUDGET_NANOS / 10;

    assertThat(balloon.resize(MAX, BUDGET_NANOS)).isEqualTo(Outcome.Unfinished);
    assertThat(store.nowNanos).isLessThanOrEqualTo(BUDGET_NANOS + store.nanosPerRequest);
    assertThat(balloon.reservedBytes()).isPositive().isEqualTo(store.reservedBytes());

    for (int call = 0; call < 10; call++) {
      balloon.resize(MAX, BUDGET_NANOS);
    }
    assertThat(balloon.reservedBytes()).isEqualTo(MAX);
  }

  @Example
  void countsALateAnswerOnceAndStaysExact() throws Exception {
    store.answersLate = true;
    assertThat(balloon.resize(PIECE, BUDGET_NANOS)).isEqualTo(Outcome.Unfinished);
    assertThat(balloon.resize(PIECE, BUDGET_NANOS)).isEqualTo(Outcome.Unfinished);
    store.answersLate = false;
    store.answer();

    assertThat(balloon.resize(PIECE, BUDGET_NANOS)).isEqualTo(Outcome.Exact);
    assertThat(store.reservedBytes()).isEqualTo(PIECE);
  }

  @Example
  void replacesReservationsThatTheStoreEnded() throws Exception {
    balloon.resize(MAX / 2, BUDGET_NANOS);
    store.held.get(3).end();
    assertThat(balloon.hasLostReservations()).isTrue();

    balloon.resize(MAX / 2, BUDGET_NANOS);

    assertThat(store.reservedBytes()).isEqualTo(MAX / 2);
    assertThat(balloon.hasLostReservations()).isFalse();
  }

  @Example
  void whatTheStoreEndedIsNotCountedAnyMore() throws Exception {
    balloon.resize(MAX / 2, BUDGET_NANOS);
    store.held.get(3).end();

    balloon.dropEnded();

    assertThat(balloon.reservedBytes()).isEqualTo(store.reservedBytes()).isLessThan(MAX / 2);
  }

  @Example
  void reservationsThatTheStoreEndsDuringAResizeDoNotFailIt() throws Exception {
    balloon.resize(MAX / 2, BUDGET_NANOS);
    store.endsAllAtRelease = true;

    balloon.resize(MAX / 4, BUDGET_NANOS);
    store.endsAllAtRelease = false;

    assertThat(balloon.resize(MAX / 4, BUDGET_NANOS)).isEqualTo(Outcome.Exact);
    assertThat(store.reservedBytes()).isEqualTo(MAX / 4);
  }

  @Example
  void growsTheTopReservationWhileNewOnesWouldLieInALowerTier() throws Exception {
    balloon.resize(SLICE, BUDGET_NANOS);
    store.misplacesNew = true;

    assertThat(balloon.resize(5 * SLICE + 3, BUDGET_NANOS)).isEqualTo(Outcome.Exact);

    assertThat(store.reservedBytes()).isEqualTo(5 * SLICE + 3);
    assertThat(store.held).hasSize(1);
  }

  @Example
  void releasesEverything() throws Exception {
    balloon.resize(MAX / 3, BUDGET_NANOS);

    balloon.releaseAll(BUDGET_NANOS);

    assertThat(store.held).isEmpty();
    assertThat(balloon.reservedBytes()).isZero();
  }
}
