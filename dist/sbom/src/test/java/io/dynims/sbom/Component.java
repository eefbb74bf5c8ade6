package io.dynims.sbom;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A library in a bill of materials.
 *
 * @param licenses what its POM names, as SPDX identifiers where they could be told; its users may
 *     choose one
 */
record Component(
    String group, String name, String version, String jar, String sha256, List<String> licenses) {

  private static final Pattern CLASSIFIER = Pattern.compile("[?&]classifier=([^&]+)");

  static Component of(JsonNode json) {
    String name = json.path("name").asText();
    String version = json.path("version").asText();
    Matcher classifier = CLASSIFIER.matcher(json.path("purl").asText());
    String suffix = classifier.find() ? "-" + classifier.group(1) : "";
    return new Component(
        json.path("group").asText(),
        name,
        version,
        name + "-" + version + suffix + ".jar",
        sha256(json),
        licenses(json));
  }

  private static String sha256(JsonNode json) {
    for (JsonNode hash : json.path("hashes")) {
      if (hash.path("alg").asText().equals("SHA-256")) {
        return hash.path("content").asText();
      }
    }
    return "";
  }

  private static List<String> licenses(JsonNode json) {
    List<String> licenses = new ArrayList<>();
    for (JsonNode choice : json.path("licenses")) {
      JsonNode license = choice.path("license");
      if (choice.has("expression")) {
        String expression = choice.path("expression").asText();
        licenses.addAll(List.of(expression.replaceAll("^\\(|\\)$", "").split(" OR ")));
      } else {
        licenses.add(license.path(license.has("id") ? "id" : "name").asText());
      }
    }
    return licenses;
  }

  /** group:artifact. */
  String coordinates() {
    return group + ":" + name;
  }
}
