package io.dynims.controller.share;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Controllers that share partitions over a log, which they read late and sometimes not at all. */
class PartitionShareTest {

  private static final int PARTITIONS = 8;
  private static final long STEP_NANOS = MILLISECONDS.toNanos(5);
  private static final long SECOND_STEPS = 200;

  private final List<MemberBeat> log = new ArrayList<>();
  private final Map<String, Replica> replicas = new LinkedHashMap<>();

  /** Which terms were ever granted of each partition, and to whom. */
  private final Map<Integer, Map<Long, String>> terms = new HashMap<>();

  private long nowNanos;

  private final class Replica {

    final String name;
    final PartitionShare share;
    int read = log.size();
    boolean paused;

    Replica(String name) {
      this.name = name;
      this.share = new PartitionShare(name);
      replicas.put(name, this);
    }

    void step() {
      if (paused) {
        return;
      }
      while (read < log.size()) {
        share.onBeat(read, log.get(read), nowNanos);
        read++;
        noteTerms();
      }
      Optional<MemberBeat> beat = share.next(PARTITIONS, nowNanos);
      beat.ifPresent(log::add);
    }

    private void noteTerms() {
      share
          .held()
          .forEach(
              (partition, term) -> {
                String holder =
                    terms
                        .computeIfAbsent(partition, p -> new TreeMap<>())
                        .computeIfAbsent(term, t -> name);
                assertThat(holder).as("term %d of %d", term, partition).isEqualTo(name);
              });
    }

    int count() {
      return share.held().size();
    }
  }

  @Test
  void oneAloneServesAllAfterItHasListened() {
    Replica a = new Replica("a");

    run(SECOND_STEPS);
    assertThat(a.count()).isZero();
    assertThat(log).as("it listens before it says anything").isEmpty();
    run(SECOND_STEPS);
    assertThat(a.count()).isEqualTo(PARTITIONS);
  }

  @Test
  void oneThatJoinsGetsItsPartWhileEachPartitionIsServed() {
    Replica a = new Replica("a");
    run(2 * SECOND_STEPS);
    Replica b = new Replica("b");
    Map<Integer, Long> kept = a.share.held();

    long unserved = 0;
    for (int i = 0; i < 3 * SECOND_STEPS; i++) {
      step();
      Set<Integer> served = new HashSet<>(a.share.held().keySet());
      assertThat(b.share.held().keySet()).doesNotContainAnyElementsOf(served);
      served.addAll(b.share.held().keySet());
      unserved += served.size() < PARTITIONS ? 1 : 0;
    }

    assertThat(a.count()).isEqualTo(PARTITIONS / 2);
    assertThat(b.count()).isEqualTo(PARTITIONS / 2);
    assertThat(kept).containsAllEntriesOf(a.share.held());
    assertThat(unserved * STEP_NANOS).isLessThan(MILLISECONDS.toNanos(50));
  }

  @Test
  void whatOneThatDiedServedIsServedByTheOthersAfterItsLease() {
    Replica a = new Replica("a");
    Replica b = new Replica("b");
    Replica c = new Replica("c");
    run(4 * SECOND_STEPS);
    assertThat(List.of(a.count(), b.count(), c.count())).containsExactlyInAnyOrder(3, 3, 2);
    c.paused = true;
    long steps = 0;
    while (a.count() + b.count() < PARTITIONS) {
      step();
      steps++;
    }

    assertThat(steps * STEP_NANOS)
        .isLessThan(PartitionShare.LEASE_NANOS + MILLISECONDS.toNanos(100));
    assertThat(a.count()).isEqualTo(PARTITIONS / 2);
  }

  @Test
  void oneThatStoodStillServesNothingOnceItHasReadWhatHappened() {
    Replica a = new Replica("a");
    Replica b = new Replica("b");
    run(4 * SECOND_STEPS);
    Map<Integer, Long> before = b.share.held();
    b.paused = true;
    run(2 * SECOND_STEPS);
    assertThat(a.count()).isEqualTo(PARTITIONS);
    a.share
        .held()
        .forEach(
            (partition, term) ->
                assertThat(term).isGreaterThanOrEqualTo(before.getOrDefault(partition, 0L)));

    b.paused = false;
    b.step();
    assertThat(b.count()).isZero();
    run(SECOND_STEPS);
    assertThat(b.count()).isEqualTo(PARTITIONS / 2);
  }

  @Test
  void oneThatLeavesIsReplacedAtOnce() {
    Replica a = new Replica("a");
    Replica b = new Replica("b");
    run(4 * SECOND_STEPS);
    replicas.remove("b");
    log.add(b.share.leave());
    assertThat(b.count()).isZero();

    run(10);

    assertThat(a.count()).isEqualTo(PARTITIONS);
    assertThat(a.share.members()).containsExactly("a");
  }

  @Test
  void withoutTheLogEachKeepsWhatItHas() {
    Replica a = new Replica("a");
    Replica b = new Replica("b");
    run(4 * SECOND_STEPS);
    Map<Integer, Long> before = a.share.held();

    for (int i = 0; i < 10 * SECOND_STEPS; i++) {
      nowNanos += STEP_NANOS;
      var lost = a.share.next(PARTITIONS, nowNanos);
      lost.ifPresent(beat -> assertThat(beat.claims()).isEmpty());
      var unused = b.share.next(PARTITIONS, nowNanos);
    }
    assertThat(a.share.held()).isEqualTo(before);
    run(2 * SECOND_STEPS);

    assertThat(a.share.held()).isEqualTo(before);
    assertThat(b.count()).isEqualTo(PARTITIONS / 2);
  }

  @Test
  void aTopicThatWasMadeAnewIsSharedAnew() {
    Replica a = new Replica("a");
    Replica b = new Replica("b");
    run(4 * SECOND_STEPS);
    log.clear();
    a.read = 0;
    b.read = 0;
    terms.clear();

    run(4 * SECOND_STEPS);

    assertThat(a.count()).isEqualTo(PARTITIONS / 2);
    assertThat(b.count()).isEqualTo(PARTITIONS / 2);
  }

  /** The same term is never two controllers', whatever happens, and in the end all is shared. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  void noTermIsEverThatOfTwo(long seed) {
    Random random = new Random(seed);
    int started = 0;
    for (int i = 0; i < 60 * SECOND_STEPS; i++) {
      if (replicas.size() < 5 && random.nextInt(300) == 0) {
        new Replica("r" + started++);
      }
      List<Replica> all = new ArrayList<>(replicas.values());
      if (!all.isEmpty() && random.nextInt(400) == 0) {
        Replica one = all.get(random.nextInt(all.size()));
        switch (random.nextInt(3)) {
          case 0 -> replicas.remove(one.name); // Killed.
          case 1 -> {
            replicas.remove(one.name);
            log.add(one.share.leave());
          }
          default -> one.paused = true;
        }
      }
      all.forEach(each -> each.paused &= random.nextInt(400) != 0);
      step(random);
    }
    if (replicas.isEmpty()) {
      new Replica("last");
    }
    replicas.values().forEach(each -> each.paused = false);

    run(5 * SECOND_STEPS);

    Set<Integer> served = new HashSet<>();
    int least = PARTITIONS / replicas.size();
    for (Replica each : replicas.values()) {
      assertThat(Collections.disjoint(each.share.held().keySet(), served))
          .as("seed " + seed)
          .isTrue();
      assertThat(each.count()).as("seed " + seed).isBetween(least, least + 1);
      served.addAll(each.share.held().keySet());
    }
    assertThat(served).as("seed " + seed).hasSize(PARTITIONS);
  }

  private void run(long steps) {
    for (int i = 0; i < steps; i++) {
      step();
    }
  }

  private void step() {
    nowNanos += STEP_NANOS;
    List.copyOf(replicas.values()).forEach(Replica::step);
  }

  /** Some are late, each time others. */
  private void step(Random random) {
    nowNanos += STEP_NANOS;
    for (Replica each : List.copyOf(replicas.values())) {
      if (random.nextInt(4) != 0) {
        each.step();
      }
    }
  }
}
