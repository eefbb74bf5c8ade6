package io.dynims.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.cli.stack.Text;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Whether the node's memory and disk are enough. */
final class NodeChecks {

  private static final long LEAST_STATE_BYTES = 16L << 20;
  private static final long LITTLE_STATE_BYTES = 256L << 20;

  /** collectd and the adapter read the same file of the kernel's. */
  private static final double SAME_MEMORY = 0.01;

  private static final String LOWER_MAX =
      "lower spec.capacity.max, and the store's own maximum (tier.max of the adapter)";

  private final Observations seen;

  NodeChecks(Observations seen) {
    this.seen = seen;
  }

  void addTo(Map<String, Supplier<Diagnosis>> checks) {
    checks.put("node-memory", this::nodeMemory);
    checks.put("node-memory-agrees", this::nodeMemoryAgrees);
    checks.put("state-directory", this::stateDirectory);
  }

  /** The adapter may be away, and the store is then at its full capacity. */
  private Diagnosis nodeMemory() {
    OptionalLong max = maxBytes();
    OptionalLong memory = memoryBytes();
    if (max.isEmpty() || memory.isEmpty()) {
      return Diagnosis.skipped("neither adapter nor controller tells the tier's maximum");
    }
    double threshold = policy().map(p -> p.path("threshold").asDouble(1)).orElse(1.0);
    long reserveBytes = (long) ((1 - threshold) * memory.getAsLong());
    String figures =
        "the tier's maximum is %s, the node's memory %s, of which %s are to stay free"
            .formatted(
                Text.bytes(max.getAsLong()),
                Text.bytes(memory.getAsLong()),
                Text.bytes(reserveBytes));
    if (max.getAsLong() > memory.getAsLong()) {
      return Diagnosis.error(figures, LOWER_MAX);
    }
    return max.getAsLong() > memory.getAsLong() - reserveBytes
        ? Diagnosis.warning(figures, LOWER_MAX)
        : Diagnosis.ok(figures);
  }

  private OptionalLong maxBytes() {
    OptionalLong own = adapterNumber("maxBytes");
    OptionalLong ofPolicy = policyMaxBytes();
    if (own.isPresent() && ofPolicy.isPresent()) {
      return OptionalLong.of(Math.min(own.getAsLong(), ofPolicy.getAsLong()));
    }
    return own.isPresent() ? own : ofPolicy;
  }

  private OptionalLong policyMaxBytes() {
    Optional<JsonNode> policy = policy();
    return policy.isPresent() && policy.get().path("maxBytes").isNumber()
        ? OptionalLong.of(policy.get().get("maxBytes").asLong())
        : OptionalLong.empty();
  }

  /** The lesser of the policy's budget and the node's memory. */
  private OptionalLong memoryBytes() {
    OptionalLong told = adapterNumber("nodeMemoryBytes");
    OptionalLong node =
        told.isPresent() || !seen.machine().isPresent()
            ? told
            : OptionalLong.of(seen.machine().value().memoryTotalBytes());
    OptionalLong budget = budgetBytes();
    return budget.isPresent() && budget.getAsLong() < node.orElse(Long.MAX_VALUE) ? budget : node;
  }

  private OptionalLong budgetBytes() {
    return policy()
        .map(p -> p.path("memoryBudgetBytes"))
        .filter(JsonNode::isNumber)
        .map(bytes -> OptionalLong.of(bytes.asLong()))
        .orElse(OptionalLong.empty());
  }

  private OptionalLong adapterNumber(String field) {
    return seen.adapter().isPresent() && seen.adapter().value().tier().path(field).isNumber()
        ? OptionalLong.of(seen.adapter().value().tier().get(field).asLong())
        : OptionalLong.empty();
  }

  private Optional<JsonNode> policy() {
    return seen.controller().isPresent()
        ? seen.node().flatMap(node -> seen.controller().value().policy(node, seen.tier()))
        : Optional.empty();
  }

  /** The adapter's guard and the law would otherwise act on different nodes. */
  private Diagnosis nodeMemoryAgrees() {
    OptionalLong ofAdapter = adapterNumber("nodeMemoryBytes");
    Optional<JsonNode> sampled =
        seen.controller().isPresent()
            ? seen.node()
                .flatMap(node -> seen.controller().value().tier(node, seen.tier()))
                .map(tier -> tier.path("memoryTotalBytes"))
                .filter(JsonNode::isNumber)
            : Optional.empty();
    boolean budgeted =
        policy().isEmpty() || budgetBytes().orElse(Long.MAX_VALUE) < ofAdapter.orElse(0);
    if (ofAdapter.isEmpty() || sampled.isEmpty() || budgeted) {
      return Diagnosis.skipped(
          budgeted && sampled.isPresent()
              ? "the policy says how much memory the node may use"
              : "adapter and controller do not both tell the node's memory");
    }
    long sampledBytes = sampled.get().asLong();
    String figures =
        "%s as the adapter tells, %s as collectd does"
            .formatted(Text.bytes(ofAdapter.getAsLong()), Text.bytes(sampledBytes));
    return Math.abs(ofAdapter.getAsLong() - sampledBytes) > SAME_MEMORY * sampledBytes
        ? Diagnosis.warning(
            figures,
            "set node.memory.group and memory.total of the adapter to what collectd goes by"
                + " (--cgroup-root, --memory-total), or neither")
        : Diagnosis.ok(figures);
  }

  private Diagnosis stateDirectory() {
    return seen.machine()
        .diagnose(
            machine ->
                machine.stateFreeBytes().isPresent()
                    ? stateDirectory(machine.stateFreeBytes().getAsLong())
                    : Diagnosis.skipped("no --state-dir, or it is not there"));
  }

  private Diagnosis stateDirectory(long freeBytes) {
    String figure =
        "%s free in %s"
            .formatted(Text.bytes(freeBytes), seen.options().targets().stateDirectory().get());
    String remedy = "free space there, or move the state (state.file; DYNIMS_HOME)";
    if (freeBytes < LEAST_STATE_BYTES) {
      return Diagnosis.error(figure, remedy);
    }
    return freeBytes < LITTLE_STATE_BYTES
        ? Diagnosis.warning(figure, remedy)
        : Diagnosis.ok(figure);
  }
}
