package io.dynims.torture.world;

import io.dynims.simulation.VirtualTime;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What happens in a run, one line for each event. */
public final class Trace {

  private final VirtualTime time;

  /** Null for a run that nobody reads. */
  private final Consumer<String> out;

  Trace(VirtualTime time, Consumer<String> out) {
    this.time = time;
    this.out = out;
  }

  /** Writes a line, if anybody reads it. */
  public void line(Supplier<String> text) {
    if (out != null) {
      long millis = time.millis();
      out.accept("%3d.%03d %s".formatted(millis / 1_000, millis % 1_000, text.get()));
    }
  }
}
