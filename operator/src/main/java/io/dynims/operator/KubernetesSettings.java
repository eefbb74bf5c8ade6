package io.dynims.operator;

import java.nio.file.Path;
import java.util.Optional;

/**
 * Where the operator looks.
 *
 * @param config a kubeconfig file; empty for the pod's service account, or what KUBECONFIG says
 * @param namespace its own namespace, where the Lease and the agents' pods are
 * @param watchNamespace where MemoryTiers are; empty for all namespaces
 * @param lease the name of the Lease whose holder pushes
 * @param identity what this replica is called in the Lease
 * @param agentsSelector the labels of the agents' pods, as {@code kubectl -l} takes them
 */
public record KubernetesSettings(
    Optional<Path> config,
    String namespace,
    String watchNamespace,
    String lease,
    String identity,
    String agentsSelector) {}
