package io.dynims.cluster;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** kubectl as one user in one namespace. A command that fails throws an error with its output. */
public final class Kubectl {

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path program;
  private final Path kubeconfig;
  private final String namespace;

  Kubectl(Path program, Path kubeconfig, String namespace) {
    this.program = program;
    this.kubeconfig = kubeconfig;
    this.namespace = namespace;
  }

  /** The same user in another namespace. */
  public Kubectl in(String other) {
    return new Kubectl(program, kubeconfig, other);
  }

  public String namespace() {
    return namespace;
  }

  /** Runs a command and returns its output. */
  public String run(String... arguments) {
    return ended("", arguments).succeeded();
  }

  /** Runs a command that must fail and returns its message. */
  public String refused(String... arguments) {
    return ended("", arguments).refused();
  }

  /** Runs a command that may fail; returns whether it succeeded. */
  public boolean succeeds(String... arguments) {
    return ended("", arguments).exitCode() == 0;
  }

  /** {@code kubectl get ... --output=json}. */
  public JsonNode get(String... arguments) {
    return json(ended("", with("get", arguments, "--output=json")).succeeded());
  }

  /** Applies YAML and returns kubectl's output. */
  public String apply(String yaml) {
    return ended(yaml, "apply", "--filename=-").succeeded();
  }

  /** Applies YAML that must be refused and returns the message. */
  public String applyRefused(String yaml) {
    return ended(yaml, "apply", "--filename=-").refused();
  }

  /** {@code kubectl patch ... --type=merge}. */
  public void patch(String kind, String name, String json, String... more) {
    List<String> arguments = new ArrayList<>(List.of(more));
    arguments.addAll(0, List.of(kind, name, "--type=merge", "--patch=" + json));
    run(with("patch", arguments.toArray(String[]::new)));
  }

  /** The names, such as {@code pod/a}, of everything that {@code kubectl get} finds. */
  public List<String> names(String... arguments) {
    return run(with("get", arguments, "--output=name")).lines().toList();
  }

  /** The events about an object, each as {@code TYPE REASON: MESSAGE}, oldest first. */
  public List<String> events(String kind, String name) {
    List<String> events = new ArrayList<>();
    String object = "involvedObject.kind=" + kind + ",involvedObject.name=" + name;
    get("events", "--field-selector=" + object, "--sort-by=.metadata.creationTimestamp")
        .path("items")
        .forEach(
            event ->
                events.add(
                    "%s %s: %s"
                        .formatted(
                            event.path("type").asText(),
                            event.path("reason").asText(),
                            event.path("message").asText())));
    return events;
  }

  private Ended ended(String input, String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(program.toString());
    command.add("--kubeconfig=" + kubeconfig);
    command.add("--namespace=" + namespace);
    command.addAll(List.of(arguments));
    // kubectl's discovery cache belongs to the cluster, not to the user who runs the tests.
    Path cache = kubeconfig.resolveSibling("data").resolve("kubectl");
    return Ended.run(Map.of("KUBECACHEDIR", cache.toString()), input, command);
  }

  private static String[] with(String first, String[] middle, String... last) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(List.of(middle));
    all.addAll(List.of(last));
    return all.toArray(String[]::new);
  }

  static JsonNode json(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException e) {
      throw new AssertionError(text, e);
    }
  }
}
