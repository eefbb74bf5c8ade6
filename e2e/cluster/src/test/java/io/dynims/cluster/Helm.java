package io.dynims.cluster;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Helm as the administrator. A command that fails throws an error with its output. */
public final class Helm {

  private final Path home;

  Helm(Path home) {
    this.home = home;
  }

  /** Runs a command and returns its output. */
  public String run(String... arguments) {
    return ended(arguments).succeeded();
  }

  /** Runs a command that must fail and returns its message. */
  public String refused(String... arguments) {
    return ended(arguments).refused();
  }

  private Ended ended(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin/helm").toString());
    command.addAll(List.of(arguments));
    Path own = home.resolve("data/helm");
    return Ended.run(
        Map.of(
            "KUBECONFIG", home.resolve("kubeconfig").toString(),
            "HELM_CACHE_HOME", own.resolve("cache").toString(),
            "HELM_CONFIG_HOME", own.resolve("config").toString(),
            "HELM_DATA_HOME", own.resolve("data").toString()),
        "",
        command);
  }
}
