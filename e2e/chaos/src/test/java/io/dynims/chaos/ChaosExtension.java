package io.dynims.chaos;

import io.dynims.experiments.bench.BenchOutput;
import io.dynims.experiments.bench.Findings;
import io.dynims.experiments.bench.Table;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives every test the same {@link ChaosRun}, because a stack takes half a minute to start. At the
 * end it prints the table and stops the stack.
 */
final class ChaosExtension implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == ChaosRun.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(Namespace.create(ChaosExtension.class))
        .getOrComputeIfAbsent("chaos", key -> new Suite(), Suite.class)
        .run;
  }

  /** The run and its report, for all test classes. */
  private static final class Suite implements AutoCloseable {

    private final BenchOutput output;
    private final ChaosRun run;

    Suite() {
      try {
        output = new BenchOutput(ChaosStack.PROJECT, Boolean.getBoolean("chaos.save"));
        run = new ChaosRun();
      } catch (Exception e) {
        throw new IllegalStateException("the stack did not start: " + e.getMessage(), e);
      }
    }

    @Override
    public void close() throws Exception {
      run.close();
      output.report("chaos", findings(), "./mvnw verify -Pchaos,long", System.out, System.out);
    }

    private Findings findings() {
      List<Outcome> outcomes = run.outcomes();
      List<String> method = new ArrayList<>();
      method.add(
          "The whole loop as processes on one machine: collectd, Kafka, the job, the controller, the"
              + " adapter, an Alluxio master and worker; a tier of at most 2 GiB in tmpfs. Parts that"
              + " were killed are started again by the suite, as systemd would.");
      method.add(
          "Each fault is made on a healthy stack with a full tier and a node at r0 = 0.95 of its"
              + " budget M of about 4 GiB; then a burst takes 1.25 GiB at 320 MiB/s, keeps them for 3"
              + " s and returns them within 2 s; then the fault ends. Two readers read the tier at"
              + " random and check every byte.");
      method.add(
          "Highest and above M: memory in use on the machine, sampled every 10 ms by the suite from when the fault is made until it has healed. Tier"
              + " back: from the end of the burst, while the fault lasts. Healed: from the end of the"
              + " fault until decisions flow, the state is Enforcing and the tier has its size.");
      method.add(
          "But for others: the highest use of M without what others have grown by since the fault. Others: how far the memory moved that is neither the tier's nor the burst's; programs that"
              + " are killed and start again are part of it.");
      Table table =
          new Table("Faults", Outcome.head(), outcomes.stream().map(Outcome::row).toList());
      return new Findings(
          "Faults under a burst", outcomes, method, List.of(), List.of(table), List.of());
    }
  }
}
