package io.dynims.operator;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The operator's settings.
 *
 * @param config a kubeconfig file; empty for the pod's service account or the file in KUBECONFIG
 * @param namespace its own namespace, which contains the Lease and the agents' pods
 * @param watchNamespaces the namespaces of the MemoryTiers; empty for all namespaces
 * @param lease the name of the Lease whose holder pushes
 * @param identity the name of this replica in the Lease
 * @param agentsSelector the label selector of the agents' pods, as for {@code kubectl -l}
 * @param podHints whether pods announce by a label what they are about to take
 */
public record KubernetesSettings(
    Optional<Path> config,
    String namespace,
    List<String> watchNamespaces,
    String lease,
    String identity,
    String agentsSelector,
    boolean podHints) {}
