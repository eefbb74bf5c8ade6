package io.dynims.charts;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The chart, a release of it, and the values that the release is given. */
final class Chart {

  static final Path FOLDER = Path.of("dynims").toAbsolutePath();
  static final String KUBERNETES = "1.36.3";

  /** The library asks a cluster also where Helm's own command line does not. */
  private static final Pattern LOOKUP =
      Pattern.compile("lookup \"v1\" \"Secret\" (\\S*)\\.Release\\.Namespace (\\$\\w+)");

  /** What a cluster would answer, by the Secrets' names. */
  private static final String INSTALLED = "installed.json";

  /** What Helm renders without asking a cluster. */
  private static final Path OFFLINE = offline();

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path folder;
  private final List<Path> files = new ArrayList<>();
  private final Map<String, Object> values = new LinkedHashMap<>();
  private String release = "dynims";
  private String namespace = "memory";

  Chart() {
    this(OFFLINE);
  }

  /** A chart that differs from the project's. */
  Chart(Path folder) {
    this.folder = folder;
  }

  /** The documented variants, by what they are called. */
  static Stream<String> variants() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER.resolve("ci"))) {
      return files
          .map(file -> file.getFileName().toString().replace("-values.yaml", ""))
          .sorted()
          .toList()
          .stream();
    }
  }

  Chart variant(String name) {
    files.add(FOLDER.resolve("ci").resolve(name + "-values.yaml"));
    return this;
  }

  /** More values, of a file; unlike in {@link #set}, a text stays one. */
  Chart values(Path file) {
    files.add(file);
    return this;
  }

  Chart set(String key, Object value) {
    values.put(key, value);
    return this;
  }

  Chart release(String newRelease, String newNamespace) {
    release = newRelease;
    namespace = newNamespace;
    return this;
  }

  LintResult lint() {
    return new Helm(folder).lint().strict().call();
  }

  /** Everything of the release but hooks. */
  Manifests render() {
    return new Manifests(parse(text()));
  }

  /** The same as YAML. */
  String text() {
    var template = new Helm(folder).template().withName(release).withNamespace(namespace);
    template.withKubeVersion(KUBERNETES);
    files.forEach(template::withValuesFile);
    values.forEach(template::set);
    return template.call();
  }

  /** What Helm says when it has installed the release. */
  String notes() {
    var install = new Helm(folder).install().withName(release).withNamespace(namespace);
    install.withKubeVersion(KUBERNETES).clientOnly().dryRun();
    files.forEach(install::withValuesFile);
    values.forEach(install::set);
    String output = install.call().getOutput();
    return output.substring(output.indexOf("NOTES:"));
  }

  /** Everything of the release, the pod of {@code helm test} as well. */
  Manifests renderWithTest(Path scratch) throws IOException {
    Path test = FOLDER.resolve("templates/tests/tiers.yaml");
    Chart copy = new Chart(copy(scratch));
    String text = Files.readString(test).replace("helm.sh/hook: test", "dynims.io/hook: test");
    Files.writeString(copy.folder.resolve("templates/tests/tiers.yaml"), text);
    copy.files.addAll(files);
    copy.values.putAll(values);
    return copy.release(release, namespace).render();
  }

  private static Path offline() {
    try {
      Path scratch = Files.createTempDirectory(Path.of("target").toAbsolutePath(), "chart");
      return copy(scratch);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The project's chart where these Secrets are installed. */
  static Chart upgrading(List<JsonNode> secrets, Path scratch) throws IOException {
    Path copy = copy(scratch);
    ObjectNode installed = JSON.createObjectNode();
    secrets.forEach(each -> installed.set(Manifests.name(each), each));
    Files.writeString(copy.resolve(INSTALLED), JSON.writeValueAsString(installed));
    return new Chart(copy);
  }

  /** Copies the project's chart, and keeps it from asking a cluster. */
  static Path copy(Path scratch) throws IOException {
    Path to = scratch.resolve("dynims");
    try (Stream<Path> files = Files.walk(FOLDER)) {
      for (Path file : files.toList()) {
        Files.copy(file, to.resolve(FOLDER.relativize(file).toString()));
      }
    }
    for (String name : List.of("templates/agent/tier-token.yaml", "templates/_helpers.tpl")) {
      Path file = to.resolve(name);
      String answer = "dig $2 dict ($1.Files.Get \"%s\" | fromJson)".formatted(INSTALLED);
      Files.writeString(file, LOOKUP.matcher(Files.readString(file)).replaceAll(answer));
    }
    Files.writeString(to.resolve(INSTALLED), "{}");
    return to;
  }

  /** A YAML file of the chart. */
  static JsonNode file(String name) {
    try {
      return parse(Files.readString(FOLDER.resolve(name))).get(0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The documents of a YAML text; a key that is there twice is an error. */
  static List<JsonNode> parse(String text) {
    LoadSettings settings = LoadSettings.builder().setAllowDuplicateKeys(false).build();
    List<JsonNode> documents = new ArrayList<>();
    for (Object document : new Load(settings).loadAllFromString(text)) {
      if (document != null) {
        documents.add(JSON.valueToTree(document));
      }
    }
    return documents;
  }
}
