package io.dynims.experiments.bench.resize;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Goal;
import io.dynims.experiments.bench.resize.FullTier.Shrink;
import java.util.List;
import org.junit.jupiter.api.Test;

class ResizeFindingsTest {

  private final SliceResult shipped = new SliceResult(32 << 20);

  @Test
  void reportsTheDefaultSliceFirst() {
    measured(80, 100);
    SliceResult other = new SliceResult(8 << 20);

    Findings findings = findings(shipped, other);
    JsonNode json = new ObjectMapper().valueToTree(findings.json());

    assertThat(json.path("freedBytesPerSecond").asDouble()).isEqualTo(80e9);
    assertThat(json.path("limitBytesPerSecond").asDouble()).isEqualTo(100e9);
    assertThat(json.path("ratio").asDouble()).isEqualTo(0.8);
    assertThat(json.at("/readMillisP99/rest").asDouble()).isBetween(9.9, 10.1);
    assertThat(json.at("/readMillisP99/resizing").asDouble()).isBetween(14.9, 15.1);
    assertThat(json.path("slices")).hasSize(2);
    assertThat(findings.goals()).allMatch(Goal::met);
    assertThat(findings.figures()).allSatisfy(f -> assertThat(f.svg()).contains("</svg>"));
  }

  @Test
  void reportsMissedGoals() {
    measured(60, 100);
    shipped.resizing().addMillis(21);
    shipped.addWrong(1);

    assertThat(findings(shipped).goals()).noneMatch(Goal::met);
  }

  private void measured(long freedBytes, long limitBytes) {
    shipped.add(100, new Shrink(freedBytes, 1));
    shipped.addLimit(new Shrink(limitBytes, 1));
    shipped.rest().addMillis(10);
    shipped.resizing().addMillis(15);
  }

  private static Findings findings(SliceResult... results) {
    return new ResizeFindings(1 << 30, new ResizeOptions(1, List.of()), List.of(results))
        .findings();
  }
}
