package io.dynims.cli.stack;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClosedLoopTest {

  @TempDir private Path folder;

  @Test
  void isClosedWithAFreshSampleADecisionAndACapacityInForce() throws Exception {
    assertThat(
            missing("{'node':'node-1','lastDecision':{},'sampledMillis':9900,'capacityBytes':1}"))
        .isEmpty();
  }

  @Test
  void reportsWhatIsMissing() throws Exception {
    assertThat(missing("{'node':'node-2'}").orElseThrow()).contains("no tier of node-1");
    assertThat(missing("{'node':'node-1'}").orElseThrow()).contains("no decision");
    assertThat(
            missing("{'node':'node-1','lastDecision':{},'sampledMillis':1000,'capacityBytes':1}")
                .orElseThrow())
        .contains("9.0 s old");
    assertThat(missing("{'node':'node-1','lastDecision':{},'sampledMillis':9900}").orElseThrow())
        .contains("no capacity is in force");
  }

  private Optional<String> missing(String tier) throws Exception {
    StackHome home = Stacks.home(folder);
    String json = ("{'tiers':[" + tier + "]}").replace('\'', '"');
    return new ClosedLoop(
            Stacks.settings(home),
            new Probes(new StackTls(home, Stacks.settings(home))),
            Clock.systemUTC())
        .missing(new ObjectMapper().readTree(json), 10_000);
  }
}
