package io.dynims.torture;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.torture.plan.Event;
import io.dynims.torture.plan.NodeSetup;
import io.dynims.torture.plan.Plan;
import io.dynims.torture.plan.PlanDraw;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A run that fails is cut to few events, and those of docs/simulation.md fail no longer. */
class ShrinkerTest {

  /** As if two of its events, on one node, made a run fail. */
  @ParameterizedTest
  @ValueSource(longs = {348, 1412, 4005185})
  void aRunIsCutToTheEventsThatMatter(long seed) {
    Plan plan = PlanDraw.draw(seed);
    String node = plan.nodes().get(plan.nodes().size() - 1).name();
    List<Event> own = plan.events().stream().filter(event -> node.equals(event.node())).toList();
    List<Event> two = List.of(own.get(0), own.get(own.size() - 1));
    long millis = Math.max(two.get(0).atMillis(), two.get(1).atMillis());
    var shrinker =
        new Shrinker(
            some ->
                some.events().containsAll(two) ? OptionalLong.of(millis) : OptionalLong.empty());

    Plan cut = shrinker.shrink(plan);

    assertThat(cut.events()).containsExactlyInAnyOrderElementsOf(two);
    assertThat(cut.nodes()).extracting(NodeSetup::name).containsExactly(node);
    assertThat(cut.durationMillis()).isBetween(millis, millis + 100);
  }

  /** The runs that docs/simulation.md says are mended. */
  @ParameterizedTest
  @ValueSource(
      longs = {
        348, 1412, 902, 178, 221, 530, 79, 7, 137241, 311, 323, 612, 817, 877, 1065777, 149, 303,
        359, 858, 999, 2001129, 2002608, 3000459, 4001374, 4002231, 4002438, 4005185, 4006672,
        4006770, 4007118, 4007455, 5000302, 5001160, 5002311, 5003757, 5004825, 6000569, 6000881,
        8008894, 8012222, 8014900, 8015810, 8017330, 8019969
      })
  void aRunThatIsMendedViolatesNothing(long seed) {
    assertThat(Run.of(PlanDraw.draw(seed)).violations()).isEmpty();
  }
}
