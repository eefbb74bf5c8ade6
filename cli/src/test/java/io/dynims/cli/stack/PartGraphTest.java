package io.dynims.cli.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PartGraphTest {

  private final ExecutorService executor = Executors.newCachedThreadPool();
  private final List<String> done = Collections.synchronizedList(new ArrayList<>());
  private final List<Part> parts = List.of(part("a"), part("b", "a"), part("c", "b"));

  @AfterEach
  void end() {
    executor.shutdownNow();
  }

  @Test
  void runsEachPartAfterItsDependencies() throws Exception {
    PartGraph.run(parts, Part::needs, part -> done.add(part.name()), executor);

    assertThat(done).containsExactly("a", "b", "c");
  }

  @Test
  void throwsTheFailureItselfAndStops() {
    assertThatThrownBy(() -> PartGraph.run(parts, Part::needs, this::failAtB, executor))
        .isInstanceOf(StackException.class)
        .hasMessage("b is broken");
    assertThat(done).containsExactly("a");
  }

  private void failAtB(Part part) throws StackException {
    if (part.name().equals("b")) {
      throw new StackException("b is broken");
    }
    done.add(part.name());
  }

  private static Part part(String name, String... needs) {
    return new Part(name, List.of(needs), List.of(), "", List.of(), () -> {}, Optional::empty);
  }
}
