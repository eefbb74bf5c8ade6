package io.dynims.controller.kubernetes;

/**
 * Where the operator looks.
 *
 * @param namespace its own namespace, where the Lease and the agents' pods are
 * @param watchNamespace where MemoryTiers are; empty for all namespaces
 * @param lease the name of the Lease whose holder pushes
 * @param identity what this replica is called in the Lease
 * @param agentsSelector the labels of the agents' pods, as {@code kubectl -l} takes them
 */
public record KubernetesSettings(
    String namespace,
    String watchNamespace,
    String lease,
    String identity,
    String agentsSelector) {}
