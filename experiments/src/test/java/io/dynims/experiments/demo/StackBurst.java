package io.dynims.experiments.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.stack.StackSettings;
import io.dynims.experiments.bench.BenchStack;
import io.dynims.experiments.paper.ControlGroups;
import java.nio.file.Path;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A burst on a running stack while a load reads through its tier. Where it is permitted, a control
 * group plays the node, so that the memory of other programs of this machine has no part in it.
 */
final class StackBurst implements AutoCloseable {

  private static final ControlGroups GROUPS = ControlGroups.ofThisMachine();

  private final Optional<Path> group =
      GROUPS.isUsable()
          ? Optional.of(GROUPS.node("dynims-test-" + ProcessHandle.current().pid()))
          : Optional.empty();

  /** The settings of a stack on which bursts run. */
  List<String> settings(String store) {
    // Far enough from M for a machine whose processors are busy.
    List<String> settings =
        new ArrayList<>(
            List.of(
                "store=" + store, "tier.max=1Gi", "policy.threshold=0.85", "loop.realtime=auto"));
    group.ifPresent(path -> settings.add("node.cgroup=" + path));
    return settings;
  }

  /** Whether no other program of this machine uses memory of the node. */
  boolean isAlone() {
    return group.isPresent();
  }

  /** Runs it; the node must stay below M, and every byte be right. */
  DemoReport run(BenchStack stack, Path folder, TierLoad load, long seed) throws Exception {
    StackSettings settings = stack.settings();
    DemoReport report;
    try (DemoNode node = new DemoNode(settings.nodeGroup())) {
      DemoSettings demo =
          new DemoSettings(
              settings.nodeName(),
              node,
              stack.clients().tier(),
              stack.clients().kafkaProperties(),
              load,
              stack.home().policies().resolve(settings.store().policyFile()),
              folder.resolve("demo-report.json"),
              settings.tierMaxBytes(),
              settings.threshold(),
              seed);
      report = new Demo(demo, Clock.systemUTC(), System.out, false).measure();
    }
    System.out.println(settings.store() + ": " + report);
    assertThat(Judge.failures(report)).as("%s", report).isEmpty();
    assertThat(isAlone() ? report.maxUtilization() : report.maxOwnUtilization())
        .as("highest use of M: %s", report)
        .isLessThanOrEqualTo(1);
    return report;
  }

  /** Removes the group, which must be empty. */
  @Override
  public void close() throws Exception {
    if (group.isPresent()) {
      ControlGroups.remove(group.get());
    }
  }
}
