package io.dynims.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.cli.doctor.DoctorOptions.Program;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Whether the node's adapter does its work, for this node and alone. */
final class AdapterChecks {

  /** The states of a tier that the controller resizes, or would if its policy said so. */
  private static final Set<String> WAITING =
      Set.of("Enforcing", "Partial", "Pending", "Recommending", "Off");

  private final Observations seen;

  AdapterChecks(Observations seen) {
    this.seen = seen;
  }

  void addTo(Map<String, Supplier<Diagnosis>> checks) {
    checks.put("adapter", () -> seen.adapter().presence(this::answers, restart()));
    checks.put("store", () -> seen.adapter().diagnose(this::store));
    checks.put("adapter-node", () -> seen.adapter().diagnose(this::node));
    checks.put("adapter-alone", () -> seen.adapter().diagnose(this::alone));
    checks.put("lease", () -> seen.adapter().diagnose(this::lease));
  }

  private String restart() {
    return seen.options().restart(Program.Adapter);
  }

  private Diagnosis answers(AdapterFacts adapter) {
    return adapter.status() == 200 || adapter.status() == 503
        ? Diagnosis.ok(adapter.uri() + " answers HTTP " + adapter.status())
        : Diagnosis.error(
            adapter.uri() + " answers " + adapter.problem(),
            "correct the address, or see " + restart());
  }

  private Diagnosis store(AdapterFacts adapter) {
    if (adapter.status() == 503) {
      return Diagnosis.error(adapter.problem(), "start the store, or correct its address");
    }
    String version = adapter.tier().path("storeVersion").asText();
    return adapter.status() == 200
        ? Diagnosis.ok("the store answers; its version is " + version)
        : Diagnosis.skipped("the adapter does not tell");
  }

  private Diagnosis node(AdapterFacts adapter) {
    Optional<String> expected = seen.options().targets().node();
    if (expected.isEmpty()) {
      return Diagnosis.skipped("no --node");
    }
    JsonNode told = adapter.tier().path("node");
    if (!told.isTextual()) {
      return Diagnosis.skipped("the adapter does not tell its node");
    }
    String what = "the adapter is that of " + told.asText();
    return told.asText().equals(expected.get())
        ? Diagnosis.ok(what)
        : Diagnosis.error(
            what + ", not of " + expected.get(),
            "set node.name of the adapter (DYNIMS_NODE_NAME), or correct its address in the policy");
  }

  private Diagnosis alone(AdapterFacts adapter) {
    return adapter.foreignChanges() == 0
        ? Diagnosis.ok("nobody else was seen to set the store's limit")
        : Diagnosis.warning(
            "somebody else has set the store's limit %d times".formatted(adapter.foreignChanges()),
            "stop the second adapter, or whatever else sets the limit; see the adapter's log");
  }

  /** What the controller lacks to push has a check of its own. */
  private Diagnosis lease(AdapterFacts adapter) {
    if (adapter.tier().path("leaseHeld").asBoolean()) {
      return Diagnosis.ok("a controller holds the lease");
    }
    if (adapter.status() != 200 || seen.controller().failed()) {
      return Diagnosis.skipped("adapter or controller do not answer");
    }
    if (seen.controller().isPresent() && !WAITING.contains(state())) {
      return Diagnosis.skipped("the controller does not push: the tier is " + state());
    }
    Optional<String> mode = mode();
    if (mode.isPresent() && !mode.get().equals("Enforce")) {
      return Diagnosis.ok("nobody holds the lease, as the policy's mode is " + mode.get());
    }
    String guard = adapter.tier().path("guard").asText();
    if (!seen.controller().isPresent() && guard.isEmpty()) {
      return Diagnosis.warning(
          "no controller holds the lease, which is right only if the policy does not say Enforce",
          "name the controller, which knows the policy: --controller URL");
    }
    return Diagnosis.error(
        "no controller holds the lease"
            + (guard.isEmpty() ? "" : ", and the guard on the node is " + guard),
        "let a policy name this node with the address of this adapter; " + restart());
  }

  /** The tier's state; whether the controller knows the tier at all has a check of its own. */
  private String state() {
    return seen.node()
        .flatMap(node -> seen.controller().value().tier(node, seen.tier()))
        .map(tier -> tier.path("state").asText())
        .orElse("unknown to it");
  }

  private Optional<String> mode() {
    return seen.controller().isPresent()
        ? seen.node()
            .flatMap(node -> seen.controller().value().policy(node, seen.tier()))
            .map(policy -> policy.path("mode").asText())
        : Optional.empty();
  }
}
