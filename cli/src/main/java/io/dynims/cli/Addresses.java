package io.dynims.cli;

import io.dynims.cli.stack.LocalStack;
import io.dynims.cli.stack.PartStatus;
import io.dynims.cli.stack.StackSettings;
import io.dynims.cli.stack.Text;

/** Where a stack that is up can be reached. */
record Addresses(StackSettings settings) {

  void print(LocalStack stack, long tookMillis, CliContext context) {
    long running =
        stack.status().stream().filter(p -> p.state() == PartStatus.State.RUNNING).count();
    context
        .out()
        .printf(
            "%d of %d parts run, after %s.%n",
            running, stack.names().size(), Text.millis(tookMillis));
    for (PartStatus part : stack.status()) {
      if (part.state() == PartStatus.State.RUNNING && !part.address().isEmpty()) {
        context.out().printf("  %-15s %s%n", part.part(), part.address());
      }
    }
    context
        .out()
        .println(
            settings
                .kubernetesConfig()
                .map(file -> "Policies are the MemoryTiers of the cluster in " + file + ".")
                .orElseGet(() -> "Policies are in " + context.home().policies() + "."));
    context.out().println("./dynims tiers shows the tiers, ./dynims down ends everything.");
  }
}
