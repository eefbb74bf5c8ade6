package io.dynims.kubectl;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;

/** What kubectl shows of a healthy installation; a test changes what it likes. */
final class SampleCluster {

  private static final ObjectMapper JSON = new ObjectMapper();

  /** Answers by the beginning of kubectl's arguments; the first that fits counts. */
  final Map<String, ObjectNode> answers = new LinkedHashMap<>();

  /** What kubectl says instead of an answer, by the same. */
  final Map<String, String> failures = new LinkedHashMap<>();

  static final String VERSION = "get --raw /version";
  static final String CRD = "get crd memorytiers.dynims.io";
  static final String TIERS = "get memorytiers.dynims.io --all-namespaces";
  static final String SERVICES = "get services";
  static final String CONTROLLERS =
      "get pods --selector=app.kubernetes.io/name=dynims,app.kubernetes.io/component=controller";
  static final String AGENTS =
      "get pods --selector=app.kubernetes.io/name=dynims,app.kubernetes.io/component=agent";
  static final String SIDECARS = "get pods --selector=dynims.io/store";
  static final String WORKERS = "get pods --selector=app=alluxio";
  static final String NODES = "get nodes";
  static final String LEASE = "get lease c";
  static final String SECRET = "get secret tier-token";
  static final String PROXY = "get --raw /api/v1/namespaces/d/services/http:c:http/proxy";
  static final String KUBELET = "get --raw /api/v1/nodes/n1/proxy/configz";

  SampleCluster() throws IOException {
    put(VERSION, "{'gitVersion': 'v1.31.0'}");
    put(
        CRD,
        "{'spec': {'versions': [{'name': 'v1alpha1', 'served': true, 'schema': {'openAPIV3Schema':"
            + " {'properties': {'spec': {'properties': {'share': {}}}}}}}]}, 'status':"
            + " {'conditions': [{'type': 'Established', 'status': 'True'}]}}");
    put(
        TIERS,
        "{'items': [{'metadata': {'namespace': 'd', 'name': 'alluxio', 'generation': 2}, 'spec':"
            + " {'capacity': {'max': '4Gi'}, 'law': {'threshold': 0.95}, 'store': {'type':"
            + " 'Alluxio'}}, 'status': {'observedGeneration': 2, 'conditions': [{'type': 'Ready',"
            + " 'status': 'True', 'reason': 'AllNodes', 'message': '1 of 1 nodes'}]}}]}");
    put(
        SERVICES,
        "{'items': [{'metadata': {'namespace': 'd', 'name': 'c'}, 'spec': {'ports': [{'name':"
            + " 'http'}]}}]}");
    put(CONTROLLERS, pods(pod("c-1", "controller", "dynims-controller:1.0")));
    put(
        AGENTS,
        pods(
            pod("agent-1", "collectd", "registry/dynims-agent:1.0"),
            pod("agent-2", "alluxio-adapter", "registry/dynims-alluxio-adapter:1.0")));
    put(SIDECARS, "{'items': []}");
    put(WORKERS, pods(pod("worker-1", "alluxio-worker", "alluxio:2.9.6")));
    ObjectNode spec = (ObjectNode) first(WORKERS).path("spec");
    spec.withArray("volumes")
        .addObject()
        .put("name", "mem")
        .putObject("emptyDir")
        .put("medium", "Memory")
        .put("sizeLimit", "5Gi");
    ((ObjectNode) spec.path("containers").get(0))
        .putObject("resources")
        .putObject("limits")
        .put("memory", "6Gi");
    put(
        NODES,
        "{'items': [{'metadata': {'name': 'n1'}, 'status': {'capacity': {'memory': '8Gi'}}}]}");
    put(LEASE, "{'spec': {'holderIdentity': 'c-1', 'leaseDurationSeconds': 15}}");
    renewed(Instant.now());
    put(SECRET, "{}");
    put(PROXY + "/readyz", "{'status': 'ready'}");
    put(PROXY + "/api/v1/policies", "{'policies': [{}], 'errors': [], 'warnings': []}");
    put(
        PROXY + "/api/v1/tiers",
        "{'tiers': [{'node': 'n1', 'tier': 'alluxio', 'state': 'Enforcing'}]}");
    put(KUBELET, "{'kubeletconfig': {'evictionHard': {'memory.available': '100Mi'}}}");
  }

  void renewed(Instant when) {
    ((ObjectNode) answers.get(LEASE).path("spec"))
        .put("renewTime", when.truncatedTo(ChronoUnit.SECONDS).toString().replace("Z", ".000000Z"));
  }

  /** Puts another answer in place; single quotes stand for double ones. */
  void put(String call, String json) throws IOException {
    answers.put(call, (ObjectNode) JSON.readTree(json.replace('\'', '"')));
  }

  /** The first item of a list. */
  ObjectNode first(String call) {
    return (ObjectNode) answers.get(call).path("items").get(0);
  }

  /** The first container of the first pod of a list. */
  ObjectNode container(String call) {
    return (ObjectNode) first(call).path("spec").path("containers").get(0);
  }

  /** What the kubelet tells of that container. */
  ObjectNode containerStatus(String call) {
    return (ObjectNode) first(call).path("status").path("containerStatuses").get(0);
  }

  /** The conditions of the only MemoryTier. */
  ArrayNode conditions() {
    return (ArrayNode) first(TIERS).path("status").path("conditions");
  }

  /** Lets a plugin's kubectl answer so. */
  void install(Plugin plugin, Path folder) throws IOException {
    StringBuilder cases = new StringBuilder();
    int number = 0;
    for (Map.Entry<String, String> each : failures.entrySet()) {
      cases.append("\"%s\"*) no '%s' ;;\n".formatted(each.getKey(), each.getValue()));
    }
    for (Map.Entry<String, ObjectNode> each : answers.entrySet()) {
      Path file = folder.resolve("answer-" + number++);
      Files.writeString(file, each.getValue().toString());
      cases.append("\"%s\"*) /bin/cat '%s' ;;\n".formatted(each.getKey(), file));
    }
    plugin.kubectl(cases.toString());
  }

  private static String pods(String... pods) {
    return "{'items': [" + String.join(",", pods) + "]}";
  }

  private static String pod(String name, String container, String image) {
    return ("{'metadata': {'namespace': 'd', 'name': '%1$s'}, 'spec': {'nodeName': 'n1',"
            + " 'priority': 2000001000, 'containers': [{'name': '%2$s', 'image': '%3$s'}],"
            + " 'volumes': [{'name': 'tier-token', 'secret': {'secretName': 'tier-token'}}]},"
            + " 'status': {'qosClass': 'Burstable', 'containerStatuses': [{'name': '%2$s', 'ready':"
            + " true, 'restartCount': 0}]}}")
        .formatted(name, container, image);
  }
}
