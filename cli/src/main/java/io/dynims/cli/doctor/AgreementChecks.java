package io.dynims.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.cli.stack.Text;
import io.dynims.runtime.config.BuildVersion;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Whether the machines have one time, and the programs one version. */
final class AgreementChecks {

  private static final long SMALL_MILLIS = 1_000;

  /** The lease of a pushed capacity, unless the controller is told otherwise (push.lease). */
  private static final long LEASE_MILLIS = 5_000;

  /** A lease lasts at least that many intervals of the policy. */
  private static final long LEASE_INTERVALS = 3;

  private static final String SYNCHRONIZE =
      "synchronize the clocks of all machines: timedatectl set-ntp true, or chronyd";

  private final Observations seen;

  AgreementChecks(Observations seen) {
    this.seen = seen;
  }

  void addTo(Map<String, Supplier<Diagnosis>> checks) {
    checks.put("clock-of-controller", () -> seen.controller().diagnose(this::controllerClock));
    checks.put("clock-of-samples", () -> seen.adapter().diagnose(this::sampleClock));
    checks.put("versions", this::versions);
  }

  private Diagnosis controllerClock(ControllerFacts controller) {
    return controller.aheadMillis().isPresent()
        ? difference("the controller's clock", controller.aheadMillis().getAsLong())
        : Diagnosis.skipped("the controller has no sample to tell its time with");
  }

  /** A running lease rests on a sample that is hardly older than the lease, by the node's clock. */
  private Diagnosis sampleClock(AdapterFacts adapter) {
    JsonNode sampled = adapter.tier().path("sampledMillis");
    if (!sampled.isNumber() || !adapter.tier().path("leaseHeld").asBoolean()) {
      return Diagnosis.skipped("no lease is held on a sample");
    }
    long aheadMillis = sampled.asLong() - adapter.askedMillis();
    long leaseMillis = Math.max(LEASE_MILLIS, LEASE_INTERVALS * intervalMillis());
    return difference(
        "the time of the sample in force",
        aheadMillis < 0 ? Math.min(0, aheadMillis + leaseMillis) : aheadMillis);
  }

  private long intervalMillis() {
    return seen.controller().isPresent()
        ? seen.node()
            .flatMap(node -> seen.controller().value().policy(node, seen.tier()))
            .map(policy -> policy.path("intervalMillis").asLong())
            .orElse(0L)
        : 0;
  }

  private Diagnosis difference(String what, long aheadMillis) {
    long millis = Math.abs(aheadMillis);
    String text =
        "%s is %s %s this machine's clock"
            .formatted(what, Text.millis(millis), aheadMillis > 0 ? "ahead of" : "behind");
    if (millis > ControllerChecks.staleAfterMillis(seen)) {
      return Diagnosis.error(text + ": samples count as stale", SYNCHRONIZE);
    }
    return millis > SMALL_MILLIS
        ? Diagnosis.warning(text, SYNCHRONIZE)
        : Diagnosis.ok(what + " agrees with this machine's clock to a second");
  }

  private Diagnosis versions() {
    Map<String, String> versions = new LinkedHashMap<>();
    Optional.ofNullable(seen.controller().value())
        .flatMap(ControllerFacts::version)
        .ifPresent(version -> versions.put("controller", version));
    Optional.ofNullable(seen.adapter().value())
        .flatMap(AdapterFacts::version)
        .ifPresent(version -> versions.put("adapter", version));
    if (versions.isEmpty()) {
      return Diagnosis.skipped("neither controller nor adapter tells its version");
    }
    versions.put("this program", BuildVersion.text());
    return versions.values().stream().distinct().count() == 1
        ? Diagnosis.ok("all have " + BuildVersion.text())
        : Diagnosis.warning(
            versions.toString(), "upgrade all of them to the newest of these versions");
  }
}
