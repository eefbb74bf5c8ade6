package io.dynims.experiments;

import io.dynims.experiments.stack.LocalStack;
import io.dynims.experiments.stack.PartStatus;
import io.dynims.experiments.stack.StackSettings;
import io.dynims.experiments.stack.Text;

/** Where a stack that is up can be reached. */
record Addresses(StackSettings settings) {

  void print(LocalStack stack, long tookMillis, Surroundings surroundings) {
    long running =
        stack.status().stream().filter(p -> p.state() == PartStatus.State.RUNNING).count();
    surroundings
        .out()
        .printf(
            "%d of %d parts run, after %s.%n",
            running, stack.names().size(), Text.millis(tookMillis));
    for (PartStatus part : stack.status()) {
      if (part.state() == PartStatus.State.RUNNING && !part.address().isEmpty()) {
        surroundings.out().printf("  %-15s %s%n", part.part(), part.address());
      }
    }
    surroundings
        .out()
        .println(
            settings
                .kubernetesConfig()
                .map(file -> "Policies are the MemoryTiers of the cluster in " + file + ".")
                .orElseGet(() -> "Policies are in " + surroundings.home().policies() + "."));
    surroundings.out().println("./dynims tiers shows the tiers, ./dynims down ends everything.");
  }
}
