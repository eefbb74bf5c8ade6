package io.dynims.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.cli.doctor.DoctorOptions.Program;
import io.dynims.cli.stack.Text;
import io.dynims.core.wire.Policy;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** Whether the controller does its work for this node, and what it says of the node's policy. */
final class ControllerChecks {

  private static final int SHOWN = 3;

  private final Observations seen;

  ControllerChecks(Observations seen) {
    this.seen = seen;
  }

  void addTo(Map<String, Supplier<Diagnosis>> checks) {
    checks.put("controller", () -> seen.controller().presence(this::answers, restart()));
    checks.put("controller-ready", () -> seen.controller().diagnose(this::ready));
    checks.put("policies", () -> seen.controller().diagnose(this::policies));
    checks.put("policy-warnings", () -> seen.controller().diagnose(this::warnings));
    checks.put("tier-known", () -> seen.controller().diagnose(this::known));
    checks.put("samples", () -> ofTier(this::samples));
    checks.put("pushes", () -> ofTier(this::pushes));
  }

  private String restart() {
    return seen.options().restart(Program.Controller);
  }

  private Diagnosis answers(ControllerFacts controller) {
    if (controller.status() == 200) {
      return Diagnosis.ok(controller.uri() + " answers");
    }
    return Diagnosis.error(
        controller.uri() + " answers " + controller.problem(),
        controller.status() == 401
            ? "give the token of its http.token.file with --controller-token-file"
            : "correct the address, or see " + restart());
  }

  private Diagnosis ready(ControllerFacts controller) {
    return controller.isReady()
        ? Diagnosis.ok("the controller can do its work")
        : Diagnosis.error(
            "not ready: " + controller.readiness(), "mend what it lacks; " + restart());
  }

  private Diagnosis policies(ControllerFacts controller) {
    JsonNode errors = controller.policies().path("errors");
    if (!errors.isArray()) {
      return unanswered();
    }
    return errors.isEmpty()
        ? Diagnosis.ok("no policy is refused")
        : Diagnosis.error(
            "refused: "
                + first(
                    errors,
                    e ->
                        "%s %s %s: %s"
                            .formatted(
                                e.path("file").asText(),
                                e.path("document").asText(),
                                e.path("field").asText(),
                                e.path("reason").asText())),
            "correct these documents; until then what was valid before stays in effect");
  }

  private Diagnosis warnings(ControllerFacts controller) {
    JsonNode warnings = controller.policies().path("warnings");
    if (!warnings.isArray()) {
      return unanswered();
    }
    return warnings.isEmpty()
        ? Diagnosis.ok("no policy asks for what its tier cannot have")
        : Diagnosis.warning(
            first(
                warnings,
                w ->
                    "%s/%s: %s"
                        .formatted(
                            w.path("node").asText(),
                            w.path("tier").asText(),
                            w.path("reason").asText())),
            "change spec.capacity of the policy, or the store's own bounds");
  }

  private static String first(JsonNode list, Function<JsonNode, String> text) {
    List<String> shown = new ArrayList<>();
    for (int i = 0; i < Math.min(SHOWN, list.size()); i++) {
      shown.add(text.apply(list.get(i)));
    }
    return String.join("; ", shown)
        + (list.size() > SHOWN ? "; and %d more".formatted(list.size() - SHOWN) : "");
  }

  private Diagnosis known(ControllerFacts controller) {
    if (controller.status() != 200 || seen.node().isEmpty()) {
      return controller.status() == 200 ? Diagnosis.skipped("no --node") : unanswered();
    }
    String node = seen.node().get();
    return controller.tier(node, seen.tier()).isPresent()
        ? Diagnosis.ok("the controller knows the tier of " + node)
        : Diagnosis.error(
            "no policy names %s%s".formatted(node, seen.tier().map(t -> " with " + t).orElse("")),
            "name it in spec.nodes of a MemoryTier whose metadata.name is the tier's name");
  }

  /** Without its tier there is nothing to say; another check says that it is missing. */
  private Diagnosis ofTier(Function<JsonNode, Diagnosis> check) {
    return seen.controller()
        .diagnose(
            controller -> {
              Optional<JsonNode> tier =
                  seen.node().flatMap(node -> controller.tier(node, seen.tier()));
              return tier.isPresent()
                  ? check.apply(tier.get())
                  : Diagnosis.skipped("the controller lists no tier of this node");
            });
  }

  private Diagnosis samples(JsonNode tier) {
    if (tier.path("mode").asText().equals("Off")) {
      return Diagnosis.skipped("the policy's mode is Off");
    }
    String remedy = seen.options().restart(Program.Collectd);
    String remedies =
        "collectd has to send as this node: %s; and the job to run: %s"
            .formatted(remedy, seen.options().restart(Program.Job));
    if (!tier.path("ageMillis").isNumber()) {
      return Diagnosis.error("there is no decision on a sample of this node", remedies);
    }
    // The guard decides on samples of its own, which say nothing about collectd's.
    if (tier.path("state").asText().equals("Guarded") && !isLeased()) {
      return Diagnosis.error(
          "the guard on the node decides: the job does not, on samples of this node", remedies);
    }
    long ageMillis = tier.get("ageMillis").asLong();
    String age = "the last sample is %s old".formatted(Text.millis(Math.max(0, ageMillis)));
    return ageMillis > staleAfterMillis(seen) ? Diagnosis.error(age, remedy) : Diagnosis.ok(age);
  }

  private boolean isLeased() {
    return seen.adapter().isPresent()
        && seen.adapter().value().tier().path("leaseHeld").asBoolean();
  }

  private Diagnosis pushes(JsonNode tier) {
    String state = tier.path("state").asText();
    String reason = tier.path("stateReason").asText();
    return state.equals("Unreachable")
        ? Diagnosis.error(
            "the controller does not reach the adapter: " + reason,
            "correct the adapter's address in the policy, or push.token.file and push.tls.* of the"
                + " controller")
        : Diagnosis.ok(state + (reason.isEmpty() ? "" : ": " + reason));
  }

  /** When metrics of this node are too old to act on, as its policy says. */
  static long staleAfterMillis(Observations seen) {
    return seen.controller().isPresent()
        ? seen.node()
            .flatMap(node -> seen.controller().value().policy(node, seen.tier()))
            .map(
                policy -> policy.path("staleAfterMillis").asLong(Policy.DEFAULT_STALE_AFTER_MILLIS))
            .orElse(Policy.DEFAULT_STALE_AFTER_MILLIS)
        : Policy.DEFAULT_STALE_AFTER_MILLIS;
  }

  private static Diagnosis unanswered() {
    return Diagnosis.skipped("the controller does not tell");
  }
}
