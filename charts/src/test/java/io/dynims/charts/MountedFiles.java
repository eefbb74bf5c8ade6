package io.dynims.charts;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * What a pod has of the release's Secrets and ConfigMaps; those of others are empty.
 *
 * @param release where they are
 * @param pod its specification
 */
record MountedFiles(Manifests release, JsonNode pod) {

  /**
   * All that the pod's node may read, which is each object that the pod names as a whole: the API
   * server knows nothing of items.
   */
  Set<String> readable() {
    Set<String> contents = new TreeSet<>();
    for (JsonNode volume : pod.path("volumes")) {
      sources(volume).forEach(source -> contents.addAll(data(source).values()));
    }
    for (String name : List.of("secretRef", "secretKeyRef", "configMapRef", "configMapKeyRef")) {
      for (JsonNode reference : pod.findValues(name)) {
        contents.addAll(object(kind(name), reference.path("name").asText()).values());
      }
    }
    return contents;
  }

  /**
   * Writes the files of a container below a folder.
   *
   * @return the container's environment, which names them there
   */
  Map<String, String> write(JsonNode container, Path folder) throws IOException {
    List<String> mounts = new ArrayList<>();
    for (JsonNode mount : container.path("volumeMounts")) {
      String path = mount.path("mountPath").asText();
      for (Map.Entry<String, String> file : files(mount.path("name").asText()).entrySet()) {
        Path to = folder.resolve(path.substring(1)).resolve(file.getKey());
        Files.createDirectories(to.getParent());
        Files.writeString(to, file.getValue());
        mounts.add(path + "/");
      }
    }
    Map<String, String> environment = new HashMap<>();
    for (JsonNode variable : container.path("env")) {
      String value = variable.path("value").asText();
      boolean isFile = mounts.stream().anyMatch(value::startsWith);
      environment.put(variable.path("name").asText(), isFile ? folder + value : value);
    }
    return environment;
  }

  private Map<String, String> files(String volume) {
    Map<String, String> files = new LinkedHashMap<>();
    Manifests.stream(pod.path("volumes"))
        .filter(each -> each.path("name").asText().equals(volume))
        .flatMap(MountedFiles::sources)
        .forEach(
            source -> {
              Map<String, String> data = data(source);
              JsonNode items = source.findPath("items");
              if (items.isMissingNode()) {
                files.putAll(data);
              }
              for (JsonNode item : items) {
                String content = data.get(item.path("key").asText());
                if (content != null) {
                  files.put(item.path("path").asText(), content);
                }
              }
            });
    return files;
  }

  private static Stream<JsonNode> sources(JsonNode volume) {
    return Stream.concat(Stream.of(volume), Manifests.stream(volume.at("/projected/sources")));
  }

  private Map<String, String> data(JsonNode source) {
    JsonNode secret = source.path("secret");
    if (secret.isMissingNode()) {
      return object("ConfigMap", source.at("/configMap/name").asText());
    }
    return object("Secret", secret.path("secretName").asText(secret.path("name").asText()));
  }

  private static String kind(String reference) {
    return reference.startsWith("secret") ? "Secret" : "ConfigMap";
  }

  private Map<String, String> object(String kind, String name) {
    Map<String, String> data = new LinkedHashMap<>();
    for (JsonNode each : release.ofKind(kind)) {
      if (Manifests.name(each).equals(name)) {
        each.path("data")
            .properties()
            .forEach(entry -> data.put(entry.getKey(), content(kind, entry.getValue().asText())));
      }
    }
    return data;
  }

  private static String content(String kind, String text) {
    return kind.equals("Secret") ? new String(Base64.getDecoder().decode(text), UTF_8) : text;
  }
}
