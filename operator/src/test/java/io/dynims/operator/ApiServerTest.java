package io.dynims.operator;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A machine whose environment names a proxy. */
class ApiServerTest {

  private static final List<String> PROPERTIES =
      List.of(
          "KUBERNETES_SERVICE_HOST",
          "KUBERNETES_SERVICE_PORT",
          "kubernetes.auth.tryKubeConfig",
          "kubernetes.master",
          "http.proxy",
          "https.proxy",
          "no.proxy");

  private final List<String> proxied = new CopyOnWriteArrayList<>();
  private final List<String> direct = new CopyOnWriteArrayList<>();
  private final ServerSocket proxy = record(proxied);
  private final ServerSocket server = record(direct);

  ApiServerTest() throws IOException {
    System.setProperty("kubernetes.auth.tryKubeConfig", "false");
    System.setProperty("http.proxy", "http://127.0.0.1:" + proxy.getLocalPort());
    System.setProperty("https.proxy", "http://127.0.0.1:" + proxy.getLocalPort());
  }

  @AfterEach
  void close() throws IOException {
    PROPERTIES.forEach(System::clearProperty);
    proxy.close();
    server.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "10.0.0.0/8",
        "127.0.0.0/8",
        ".svc,.cluster.local",
        "10.0.0.0/8, .svc",
        "*.svc"
      })
  void aPodNeverUsesAProxyForTheAddressThatKubernetesGivesIt(String noProxy) throws IOException {
    System.setProperty("KUBERNETES_SERVICE_HOST", "127.0.0.1");
    System.setProperty("KUBERNETES_SERVICE_PORT", Integer.toString(server.getLocalPort()));

    request(noProxy);

    assertThat(proxied).isEmpty();
    assertThat(direct).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "127.0.0.0/8",
        "127.0.0.1",
        "10.0.0.0/8, 127.0.0.1",
        "example.org,,127.0.0.1,",
        "*",
        "*.0.0.1",
        ".0.0.1"
      })
  void anAddressThatNoProxyNamesIsReachedDirectly(String noProxy) throws IOException {
    System.setProperty("kubernetes.master", "http://127.0.0.1:" + server.getLocalPort());

    request(noProxy);

    assertThat(proxied).isEmpty();
    assertThat(direct).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10.0.0.0/8", "example.org,, *.svc"})
  void anotherAddressIsReachedThroughTheProxy(String noProxy) throws IOException {
    System.setProperty("kubernetes.master", "http://127.0.0.1:" + server.getLocalPort());

    request(noProxy);

    assertThat(direct).isEmpty();
    assertThat(proxied).isNotEmpty();
  }

  private static void request(String noProxy) throws IOException {
    System.setProperty("no.proxy", noProxy);
    try (KubernetesClient client = ApiServer.client(Optional.empty())) {
      var unused = client.raw("/healthz");
    } catch (KubernetesClientException e) {
      // Nobody answers.
    }
  }

  /** Keeps the first line, or the first bytes, of what comes, and answers nothing. */
  private static ServerSocket record(List<String> lines) throws IOException {
    ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread thread =
        new Thread(
            () -> {
              while (true) {
                try (Socket next = socket.accept();
                    var in =
                        new BufferedReader(new InputStreamReader(next.getInputStream(), UTF_8))) {
                  char[] first = new char[80];
                  lines.add(new String(first, 0, Math.max(0, in.read(first))));
                } catch (IOException e) {
                  return;
                }
              }
            });
    thread.setDaemon(true);
    thread.start();
    return socket;
  }
}
