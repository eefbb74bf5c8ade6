package io.dynims.controller.share;

import static java.util.concurrent.TimeUnit.MILLISECONDS;

import io.dynims.controller.share.MemberBeat.Holding;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One controller's part in sharing the partitions of the target topic. All controllers write beats
 * to one log and read them in its order, so all of them agree on who serves what.
 *
 * <p>A beat may claim partitions. A claim is granted unless its author had not read an earlier
 * claim that was; the offset of the beat is the new holder's term. Nobody assigns partitions: a
 * controller with more than its part gives some up, one with less claims those that nobody serves.
 * A member that has not been heard of for a lease serves nothing any more. A holder never stops by
 * itself when it is cut off from the log: without Kafka it gets no targets, and the tiers refuse it
 * once a controller with a later term has pushed.
 *
 * <p>It has no clock and no I/O of its own, and is for use by one thread. Silence is measured on
 * the host's monotonic clock, so clocks of controllers need not agree.
 */
public final class PartitionShare {

  /** How often to send a beat. */
  public static final long BEAT_NANOS = MILLISECONDS.toNanos(250);

  /** For how long a member may be silent. */
  public static final long LEASE_NANOS = MILLISECONDS.toNanos(1_250);

  /** Within what time its own beats come back to a member that hears the others, too. */
  private static final long ECHO_NANOS = MILLISECONDS.toNanos(600);

  /** The least time between two beats, unless the second one gives something up. */
  private static final long PACE_NANOS = MILLISECONDS.toNanos(20);

  /**
   * The last claim of a partition that was granted.
   *
   * @param holder null if it has given the partition up
   */
  private record Claim(String holder, long term) {}

  private final String self;
  private final Map<Integer, Claim> claims = new TreeMap<>();

  /** When each member was last heard of. */
  private final TreeMap<String, Long> heardNanos = new TreeMap<>();

  private long readTo = -1;

  /** When it began to listen; null before that. */
  private Long beganNanos;

  /** When its own beat was last read; null before the first. */
  private Long echoNanos;

  private Long sentNanos;

  /**
   * A controller that serves nothing yet.
   *
   * @param self its name, which no controller ever had before
   */
  public PartitionShare(String self) {
    this.self = self;
  }

  /** Takes a beat of any member, its own ones too, in the order of the log. */
  public void onBeat(long offset, MemberBeat beat, long nowNanos) {
    if (offset <= readTo) {
      claims.clear(); // The topic was made anew: its offsets say nothing about earlier terms.
    }
    readTo = offset;
    if (beat.member().equals(self)) {
      hearOneself(nowNanos);
    }
    heardNanos.put(beat.member(), nowNanos);
    if (beat.readTo() >= offset) {
      return; // Its offsets are those of the earlier topic.
    }
    for (Holding each : beat.holds()) {
      Claim known = claims.get(each.partition());
      boolean possible = each.term() <= beat.readTo(); // Otherwise it is of an earlier topic, too.
      if (possible && (known == null || known.term() < each.term())) {
        claims.put(each.partition(), new Claim(beat.member(), each.term()));
      }
    }
    claims.replaceAll(
        (partition, claim) -> isGivenUp(partition, claim, beat) ? free(claim) : claim);
    beat.claims().forEach(partition -> claim(partition, beat, offset));
    if (beat.leaving()) {
      heardNanos.remove(beat.member());
    }
  }

  private void claim(int partition, MemberBeat beat, long offset) {
    Claim known = claims.get(partition);
    if (known == null || known.term() <= beat.readTo()) {
      claims.put(partition, new Claim(beat.member(), offset));
    }
  }

  /** A beat that was written before its author knew of its claim's success gives nothing up. */
  private static boolean isGivenUp(int partition, Claim claim, MemberBeat beat) {
    return beat.member().equals(claim.holder())
        && claim.term() <= beat.readTo()
        && !beat.holds(partition);
  }

  private static Claim free(Claim claim) {
    return new Claim(null, claim.term());
  }

  /** While its own beats do not come back, the silence of others proves nothing. */
  private void hearOneself(long nowNanos) {
    if (echoNanos != null && nowNanos - echoNanos > ECHO_NANOS) {
      heardNanos.replaceAll((member, heard) -> nowNanos);
    }
    echoNanos = nowNanos;
  }

  /**
   * What to send now, if anything. To be called after each read. Whoever is no longer in {@link
   * #held} has to stop before the beat is sent.
   *
   * @param partitions how many there are; 0 if that is not known yet
   */
  public Optional<MemberBeat> next(int partitions, long nowNanos) {
    if (beganNanos == null) {
      beganNanos = nowNanos;
    }
    if (nowNanos - beganNanos < LEASE_NANOS) {
      return Optional.empty(); // It first listens to who is there.
    }
    boolean hears = echoNanos != null && nowNanos - echoNanos <= ECHO_NANOS;
    boolean gaveUp = false;
    List<Integer> wanted = List.of();
    if (hears && partitions > 0) {
      heardNanos.values().removeIf(heard -> nowNanos - heard > LEASE_NANOS);
      int quota = quota(partitions);
      gaveUp = giveUpAllBut(quota, partitions);
      wanted = wanted(quota, partitions);
    }
    long sinceNanos = sentNanos == null ? Long.MAX_VALUE : nowNanos - sentNanos;
    if (!gaveUp && sinceNanos < (wanted.isEmpty() ? BEAT_NANOS : PACE_NANOS)) {
      return Optional.empty();
    }
    sentNanos = nowNanos;
    return Optional.of(new MemberBeat(self, readTo, holdings(), wanted, false));
  }

  /** Gives everything up and returns the last beat. */
  public MemberBeat leave() {
    claims.replaceAll((partition, claim) -> self.equals(claim.holder()) ? free(claim) : claim);
    return new MemberBeat(self, readTo, List.of(), List.of(), true);
  }

  /** The partitions that this controller serves, with its term for each. */
  public Map<Integer, Long> held() {
    Map<Integer, Long> held = new TreeMap<>();
    claims.forEach(
        (partition, claim) -> {
          if (self.equals(claim.holder())) {
            held.put(partition, claim.term());
          }
        });
    return held;
  }

  /** The members that were heard of lately. */
  public Set<String> members() {
    return Set.copyOf(heardNanos.keySet());
  }

  private List<Holding> holdings() {
    List<Holding> holdings = new ArrayList<>();
    held().forEach((partition, term) -> holdings.add(new Holding(partition, term)));
    return holdings;
  }

  /**
   * How many partitions this controller should serve. Where they cannot be equal, those that serve
   * most keep one more, so that as few as possible change hands.
   */
  private int quota(int partitions) {
    int members = heardNanos.size();
    int larger = partitions % members;
    return partitions / members + (rank() < larger ? 1 : 0);
  }

  /** The number of members that serve more, or as many and come first by name. */
  private int rank() {
    Map<String, Integer> counts = new HashMap<>();
    heardNanos.keySet().forEach(member -> counts.put(member, 0));
    claims.values().stream()
        .filter(claim -> claim.holder() != null)
        .forEach(claim -> counts.computeIfPresent(claim.holder(), (member, count) -> count + 1));
    int own = counts.getOrDefault(self, 0);
    return (int)
        counts.entrySet().stream()
            .filter(
                each ->
                    each.getValue() > own
                        || (each.getValue() == own && each.getKey().compareTo(self) < 0))
            .count();
  }

  private boolean giveUpAllBut(int quota, int partitions) {
    int kept = 0;
    boolean gaveUp = false;
    for (int partition : held().keySet()) {
      if (partition < partitions && kept < quota) {
        kept++;
      } else {
        claims.computeIfPresent(partition, (which, claim) -> free(claim));
        gaveUp = true;
      }
    }
    return gaveUp;
  }

  /** What to claim; members that claim at once begin at different ones. */
  private List<Integer> wanted(int quota, int partitions) {
    int missing = quota - held().size();
    if (missing <= 0) {
      return List.of();
    }
    List<Integer> free = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      Claim claim = claims.get(partition);
      if (claim == null || claim.holder() == null || !heardNanos.containsKey(claim.holder())) {
        free.add(partition);
      }
    }
    int place = heardNanos.headMap(self).size();
    int first = place * free.size() / heardNanos.size();
    List<Integer> wanted = new ArrayList<>();
    for (int i = 0; i < Math.min(missing, free.size()); i++) {
      wanted.add(free.get((first + i) % free.size()));
    }
    return wanted;
  }
}
