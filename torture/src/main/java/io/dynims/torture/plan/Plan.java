package io.dynims.torture.plan;

import java.util.List;

/**
 * A whole run as data.
 *
 * @param seed what it was drawn from
 * @param durationMillis how long it takes
 * @param encodes whether every message is encoded and decoded on its way
 * @param controllers how many share the fleet
 */
public record Plan(
    long seed,
    long durationMillis,
    boolean encodes,
    int controllers,
    List<NodeSetup> nodes,
    List<Event> events) {

  /** By when the loop runs; until then nothing happens, and nothing is promised. */
  public static final long SETTLED_MILLIS = 4_000;

  /** The same with other events. */
  public Plan with(List<Event> newEvents) {
    return new Plan(seed, durationMillis, encodes, controllers, nodes, List.copyOf(newEvents));
  }

  /** The same with other nodes; what happens to others is left out. */
  public Plan withNodes(List<NodeSetup> newNodes) {
    List<String> names = newNodes.stream().map(NodeSetup::name).toList();
    List<Event> kept =
        events.stream()
            .filter(event -> event.node() == null || names.contains(event.node()))
            .toList();
    return new Plan(seed, durationMillis, encodes, controllers, List.copyOf(newNodes), kept);
  }

  /** The same until a time. */
  public Plan until(long millis) {
    List<Event> kept = events.stream().filter(event -> event.atMillis() <= millis).toList();
    return new Plan(seed, Math.min(durationMillis, millis), encodes, controllers, nodes, kept);
  }
}
