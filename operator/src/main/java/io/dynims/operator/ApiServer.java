package io.dynims.operator;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.Utils;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/** How the API server is reached. */
final class ApiServer {

  private static final String[] EVERYTHING = {""};
  private static final int REQUEST_TIMEOUT_MILLIS = 5_000;

  private ApiServer() {}

  /**
   * A client of the API server; connects when it is used.
   *
   * @param kubeconfig empty for the pod's service account or the file in KUBECONFIG
   */
  static KubernetesClient client(Optional<Path> kubeconfig) {
    Config found =
        kubeconfig
            .map(file -> Config.fromKubeconfig(file.toFile()))
            .orElseGet(() -> Config.autoConfigure(null));
    Config config =
        new ConfigBuilder(found)
            .withRequestTimeout(REQUEST_TIMEOUT_MILLIS)
            .withConnectionTimeout(REQUEST_TIMEOUT_MILLIS)
            .withRequestRetryBackoffLimit(0)
            .withNoProxy(isPods(found) ? EVERYTHING : noProxy(found))
            .build();
    return new KubernetesClientBuilder().withConfig(config).build();
  }

  /** Whether it is the address that Kubernetes gives to its pods, which no proxy outside knows. */
  private static boolean isPods(Config found) {
    return found.getCurrentContext() == null
        && Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_SERVICE_HOST_PROPERTY) != null;
  }

  /**
   * The entries of NO_PROXY as the client library takes them. It ends with an error at a blank or a
   * {@code *}, and matches every address with an empty entry.
   */
  private static String[] noProxy(Config found) {
    return Stream.of(Optional.ofNullable(found.getNoProxy()).orElseGet(() -> new String[0]))
        .filter(entry -> !entry.isBlank())
        .map(entry -> entry.replaceAll("[^0-9a-zA-Z./:-]", ""))
        .toArray(String[]::new);
  }
}
