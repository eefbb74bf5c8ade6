package io.dynims.core.loop;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.wire.Mode;
import org.junit.jupiter.api.Test;

/** What a loop reports besides its decisions. */
class NodeLoopObserverTest extends NodeLoopHarness {

  @Test
  void namesWhySamplesAreRefused() {
    ready();
    heard.clear();

    sample(START, 600);
    sample(START - 100, 600);
    sample(START - 2_001, 600);
    sample(START + 5_001, 600);
    part(START + 100, 0, 100);

    assertThat(heard)
        .containsExactly("Repeated 1", "OutOfOrder 1", "Stale 1", "Future 1", "Superseded 1");
  }

  @Test
  void theStockPluginIsSupersededForAsLongAsTheReaderIsNotStale() {
    ready();
    at(START + 1_999);
    heard.clear();
    part(START + 1_999, 0, 100);
    assertThat(heard).containsExactly("Superseded 1");

    at(START + 2_000);
    heard.clear();
    part(START + 2_000, 0, 100);
    assertThat(heard).isEmpty();
  }

  @Test
  void aSampleWithoutAPolicyIsRefusedAndOneWithoutAnAckWaits() {
    sample(START, 500);
    assertThat(heard).containsExactly("NoPolicy 1");

    heard.clear();
    know(POLICY);
    know(policy("off", Mode.Off));
    sample(START + 100, 500);
    assertThat(heard).containsExactly("accepted", "awaits ack");

    heard.clear();
    know(ack("a", 500, 0));
    sample(START + 200, 500);
    assertThat(heard).containsExactly("accepted");
  }

  @Test
  void aNodeThatIsSilentIsReportedUntilItIsBack() {
    ready();
    heard.clear();
    at(START + 2_000);
    assertThat(heard).containsExactly("n1: no metrics for 2.0 s: the capacity stays as it is");

    heard.clear();
    know(ack("a", 500, 0));
    know(POLICY);
    withdraw("a");
    assertThat(heard)
        .containsExactly(
            "n1 is still silent", "n1 is still silent", "n1 is still silent, without a policy");

    heard.clear();
    know(POLICY);
    know(ack("a", 500, 0));
    heard.clear();
    sample(START + 2_000, 500);
    assertThat(heard).containsExactly("accepted", "n1: metrics are back after 2.0 s");

    heard.clear();
    know(POLICY);
    know(ack("a", 500, 0));
    assertThat(heard).as("it is not silent").isEmpty();
  }

  @Test
  void partsThatANewerReadingOutdatesAreGivenUp() {
    know(POLICY);
    know(ack("a", 500, 0));
    for (long after : new long[] {0, 10, 20, 30}) {
      part(START + after, 0, 100);
    }
    for (int part = 1; part < 6; part++) {
      part(START + 20, part, 100);
    }
    one();

    assertThat(heard).containsExactly("Incomplete 2", "accepted");
    assertThat(state.stockParts.incomplete)
        .extracting(pending -> pending.sampledMillis() - START)
        .containsExactly(30L);
  }
}
