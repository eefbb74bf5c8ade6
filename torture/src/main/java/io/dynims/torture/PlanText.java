package io.dynims.torture;

import io.dynims.torture.plan.Event;
import io.dynims.torture.plan.NodeSetup;
import io.dynims.torture.plan.Plan;
import io.dynims.torture.plan.TierSetup;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/** A plan in one line: what its nodes are, and how many events of which kind there are. */
final class PlanText {

  private PlanText() {}

  static String of(Plan plan) {
    Map<String, Integer> events = new TreeMap<>();
    for (Event event : plan.events()) {
      events.merge(name(event), 1, Integer::sum);
    }
    StringJoiner text = new StringJoiner("; ");
    plan.nodes().forEach(node -> text.add(of(node)));
    events.forEach((name, count) -> text.add(count == 1 ? name : count + " " + name));
    return text.toString();
  }

  /** The kind of an event. */
  static String name(Event event) {
    String kind = event.getClass().getSimpleName();
    if (event instanceof Event.Kill kill) {
      return kind + " " + kill.part();
    }
    if (event instanceof Event.Pause pause) {
      return kind + " " + pause.part();
    }
    return event instanceof Event.LinkFault fault ? fault.link() + " " + fault.harm() : kind;
  }

  private static String of(NodeSetup node) {
    StringJoiner text = new StringJoiner(", ", "[", "]");
    text.add(node.reporting() + (node.measured() ? " measured" : ""));
    if (node.noiseBytes() > 0) {
      text.add("noise %.2f%%".formatted(100.0 * node.noiseBytes() / node.totalBytes()));
    }
    node.tiers().forEach(tier -> text.add(of(tier, (double) node.totalBytes())));
    return text.toString();
  }

  private static String of(TierSetup tier, double totalBytes) {
    var store = tier.store();
    return "%s%s frees %.2f, fills %.2f M/s, answers in %d ms%s%s"
        .formatted(
            tier.policy().mode(),
            store.limitsAtOnce() ? " at once" : "",
            store.rates().freeBytesPerSecond() / totalBytes,
            store.rates().fillBytesPerSecond() / totalBytes,
            tier.budgetMillis(),
            store.grainBytes() > 1 ? ", in grains" : "",
            store.usedRatio() == 1 ? "" : ", used is off");
  }
}
