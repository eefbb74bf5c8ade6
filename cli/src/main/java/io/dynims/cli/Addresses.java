package io.dynims.cli;

import io.dynims.cli.stack.LocalStack;
import io.dynims.cli.stack.PartStatus;
import io.dynims.cli.stack.StackSettings;
import io.dynims.cli.stack.Text;

/** Prints where the parts of a running stack can be reached. */
record Addresses(StackSettings settings) {

  void print(LocalStack stack, long elapsedMillis, CliContext context) {
    long running =
        stack.status().stream().filter(p -> p.state() == PartStatus.State.Running).count();
    context
        .out()
        .printf(
            "%d of %d parts are running after %s.%n",
            running, stack.names().size(), Text.millis(elapsedMillis));
    for (PartStatus part : stack.status()) {
      if (part.state() == PartStatus.State.Running && !part.address().isEmpty()) {
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
    context.out().println("./dynims tiers shows the tiers, ./dynims down stops everything.");
  }
}
