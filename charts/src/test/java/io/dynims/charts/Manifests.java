package io.dynims.charts;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * What a release consists of.
 *
 * @param all every document
 */
record Manifests(List<JsonNode> all) {

  List<JsonNode> ofKind(String kind) {
    return all.stream().filter(each -> each.path("kind").asText().equals(kind)).toList();
  }

  /** The one resource of a kind whose name ends so. */
  JsonNode one(String kind, String nameEnd) {
    List<JsonNode> found =
        ofKind(kind).stream().filter(each -> name(each).endsWith(nameEnd)).toList();
    if (found.size() != 1) {
      throw new AssertionError(found.size() + " of kind " + kind + " are named *" + nameEnd);
    }
    return found.get(0);
  }

  /** All that make pods, and pods. */
  List<JsonNode> workloads() {
    return all.stream().filter(each -> !podSpec(each).isMissingNode()).toList();
  }

  static String name(JsonNode resource) {
    return resource.at("/metadata/name").asText();
  }

  static JsonNode podTemplate(JsonNode workload) {
    return workload.path("kind").asText().equals("Pod") ? workload : workload.at("/spec/template");
  }

  static JsonNode podSpec(JsonNode workload) {
    return podTemplate(workload).path("spec");
  }

  static List<JsonNode> containers(JsonNode workload) {
    List<JsonNode> containers = new ArrayList<>();
    podSpec(workload).path("initContainers").forEach(containers::add);
    podSpec(workload).path("containers").forEach(containers::add);
    return containers;
  }

  /** The one container with this name. */
  static JsonNode container(JsonNode workload, String name) {
    return containers(workload).stream()
        .filter(each -> each.path("name").asText().equals(name))
        .findFirst()
        .orElseThrow();
  }

  /** The value of a container's environment variable. */
  static String env(JsonNode container, String variable) {
    return stream(container.path("env"))
        .filter(each -> each.path("name").asText().equals(variable))
        .findFirst()
        .map(each -> each.path("value").asText())
        .orElseThrow(() -> new AssertionError("there is no " + variable));
  }

  static Stream<JsonNode> stream(JsonNode array) {
    List<JsonNode> elements = new ArrayList<>();
    array.forEach(elements::add);
    return elements.stream();
  }

  static List<String> texts(JsonNode array) {
    return stream(array).map(JsonNode::asText).toList();
  }
}
