package io.dynims.controller.fleet;

import static io.dynims.controller.TestFleet.document;
import static io.dynims.controller.TestFleet.policies;
import static io.dynims.controller.TestFleet.target;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.controller.LogLines;
import io.dynims.core.law.Limit;
import io.dynims.core.wire.TierKey;
import java.net.URI;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChangeLogTest {

  private static final long NOW_MILLIS = 1_800_000_000_000L;
  private static final URI ADAPTER = URI.create("http://127.0.0.1:7070");

  private long nowMillis = NOW_MILLIS;
  private final LogLines lines = new LogLines("io.dynims.changes");
  private final Fleet fleet =
      new Fleet(
          new HistoryBound(10, 100),
          ((InstantSource) () -> Instant.ofEpochMilli(nowMillis)).withZone(ZoneOffset.UTC));

  @AfterEach
  void stop() {
    lines.close();
  }

  @Test
  void policiesStatesPausesAndWithdrawalsAreLoggedOnce() {
    String document = document("n1", ADAPTER, "Enforce", "1000");
    fleet.applyPolicies(policies(document));
    fleet.applyPolicies(policies(document));
    assertThat(lines.take())
        .containsExactly(
            "INFO event=policy node=n1 tier=memory mode=Enforce law=Forecast threshold=0.95"
                + " gain=0.75 lookAheadMillis=150 deadBand=0.005 settleMillis=200"
                + " headStartRatio=0.1 reserveBytes=0 maxGrowRatio=1.0 maxShrinkRatio=1.0"
                + " pressureLimit=0.1 minBytes=0 maxBytes=1000 intervalMillis=100 staleAfterMillis=2000"
                + " onDelete=Release unpersisted=Protect onLostControl=Follow"
                + " guardPressureLimit=0.1 shareWeight=1.0 shareNodeWeight=1.0 shareByHits=false",
            "INFO event=state node=n1 tier=memory to=Pending"
                + " reason=\"the adapter has not answered yet\"");

    fleet.applyPolicies(
        policies(
            document.replace(
                "name: memory", "name: memory, annotations: {dynims.io/paused: \"true\"}")));
    assertThat(lines.take())
        .hasSize(2)
        .anyMatch(line -> line.contains("event=policy") && line.contains("mode=Recommend"))
        .contains("INFO event=paused node=n1 tier=memory mode=Recommend");
    fleet.applyPolicies(policies(document));
    assertThat(lines.take()).contains("INFO event=resumed node=n1 tier=memory mode=Enforce");
    fleet.applyPolicies(policies());
    assertThat(lines.take()).containsExactly("INFO event=withdrawn node=n1 tier=memory");
  }

  @Test
  void aFleetThatChangesAgainAndAgainIsLoggedOnlyInPart() {
    String fleetOf4000 = document(4_000, ADAPTER);
    fleet.applyPolicies(policies(fleetOf4000));
    assertThat(lines.take()).hasSize(2 * 4_000);

    fleet.applyPolicies(policies());
    assertThat(lines.take()).hasSize(2_000).allMatch(line -> line.contains("event=withdrawn"));
    fleet.refresh();
    assertThat(lines.take()).as("no room for it yet").isEmpty();
    nowMillis += 1_000;
    fleet.refresh();
    assertThat(lines.take()).containsExactly("WARN event=suppressed changes=2000");
  }

  @Test
  void aLimitIsLoggedOnceItHasLastedForAWhile() {
    fleet.applyPolicies(policies(document("n1", ADAPTER, "Enforce", "1000")));
    lines.take();
    decide(0, 10_000, Limit.None);
    decide(10_000, 14_900, Limit.Max);
    decide(14_900, 15_000, Limit.None);
    decide(15_000, 17_000, Limit.Max);
    assertThat(limits()).isEmpty();

    decide(17_000, 40_000, Limit.Max);
    assertThat(limits())
        .containsExactly(
            "INFO event=limit node=n1 tier=memory from=None to=Max desiredBytes=600"
                + " utilization=0.9");
    decide(40_000, 42_000, Limit.Stale);
    decide(42_000, 60_000, Limit.Max);
    decide(60_000, 70_000, Limit.None);
    assertThat(limits()).hasSize(1).allMatch(line -> line.contains(" from=Max to=None "));
  }

  @Test
  void limitsThatAreNormalAreNotLogged() {
    fleet.applyPolicies(policies(document("n1", ADAPTER, "Enforce", "1000")));
    lines.take();
    decide(0, 10_000, Limit.DeadBand);
    decide(10_000, 20_000, Limit.Settling);
    decide(20_000, 30_000, Limit.None);
    assertThat(limits()).isEmpty();

    decide(30_000, 40_000, Limit.Pressure);
    decide(40_000, 50_000, Limit.DeadBand);
    assertThat(limits())
        .hasSize(2)
        .anyMatch(line -> line.contains(" from=None to=Pressure "))
        .anyMatch(line -> line.contains(" from=Pressure to=None "));
  }

  @Test
  void ambiguousValuesAreQuoted() {
    assertThat(LogLine.of("x").with("a", "").with("b", "1 = \"2\"\\\n").with("c", null))
        .hasToString("event=x a=\"\" b=\"1 = \\\"2\\\"\\\\\\n\"");
    assertThat(LogLine.of("tier", new TierKey("n 1", "t")))
        .hasToString("event=tier node=\"n 1\" tier=t");
  }

  private void decide(long fromMillis, long untilMillis, Limit limit) {
    for (long millis = fromMillis; millis < untilMillis; millis += 100) {
      fleet.recordDecision(target("n1", 600, NOW_MILLIS + millis, limit));
    }
  }

  private List<String> limits() {
    return lines.take().stream().filter(line -> line.contains("event=limit")).toList();
  }
}
