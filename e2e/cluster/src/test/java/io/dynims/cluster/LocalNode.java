package io.dynims.cluster;

import java.net.URI;

/**
 * This machine as a node of the cluster. kwok ignores it, so that its pods have the status that is
 * set here. A taint keeps the scheduler away.
 */
public final class LocalNode implements AutoCloseable {

  private static final String NODE =
      """
      apiVersion: v1
      kind: Node
      metadata:
        name: %1$s
        labels: {kubernetes.io/hostname: %1$s, kubernetes.io/os: linux, %2$s}
      spec:
        taints: [{key: dynims.io/this-machine, effect: NoSchedule}]
      status:
        addresses: [{type: InternalIP, address: 127.0.0.1}, {type: Hostname, address: %1$s}]
        capacity: {cpu: "2", memory: 8Gi, pods: "110"}
        allocatable: {cpu: "2", memory: 8Gi, pods: "110"}
        conditions: [{type: Ready, status: "True", reason: KubeletReady, message: posted by a test}]
      """;

  private static final String AGENT =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: %s
        labels:
          app.kubernetes.io/name: dynims
          app.kubernetes.io/component: agent
          dynims.io/store: Alluxio
      spec:
        nodeName: %s
        containers:
          - name: adapter
            image: dynims-alluxio-adapter
            ports: [{name: tier-api, containerPort: %d}]
      """;

  private static final String RUNNING =
      """
      {"status": {"phase": "Running", "podIP": "127.0.0.1", "podIPs": [{"ip": "127.0.0.1"}],
       "hostIP": "127.0.0.1", "conditions": [{"type": "Ready", "status": "%s"}]}}
      """;

  private final Kubectl kubectl;
  private final String name;

  private LocalNode(Kubectl kubectl, String name) {
    this.kubectl = kubectl;
    this.name = name;
  }

  /**
   * Joins this machine to the cluster under a name.
   *
   * @param kubectl kubectl in the namespace of the agent's pod
   * @param labels such as {@code dynims.io/tier: "true"}
   */
  public static LocalNode join(Kubectl kubectl, String name, String labels) {
    kubectl.run("delete", "node", name, "--ignore-not-found");
    kubectl.apply(NODE.formatted(name, labels));
    return new LocalNode(kubectl, name);
  }

  public String name() {
    return name;
  }

  /** Creates a ready agent whose adapter serves the Tier API at an address of this machine. */
  public void agent(URI adapter) {
    removeAgent();
    kubectl.apply(AGENT.formatted(pod(), name, adapter.getPort()));
    agentReady(true);
  }

  /** Sets whether the agent is ready. */
  public void agentReady(boolean ready) {
    kubectl.patch(
        "pod", pod(), RUNNING.formatted(ready ? "True" : "False"), "--subresource=status");
  }

  /** Removes the agent, as if the node were drained. */
  public void removeAgent() {
    kubectl.run(
        "delete", "pod", pod(), "--ignore-not-found", "--force", "--grace-period=0", "--wait");
  }

  /** Removes this machine and its agent from the cluster. */
  @Override
  public void close() {
    removeAgent();
    kubectl.run("delete", "node", name, "--ignore-not-found");
  }

  private String pod() {
    return "agent-" + name;
  }
}
