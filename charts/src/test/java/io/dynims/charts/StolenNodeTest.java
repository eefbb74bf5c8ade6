package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.dynims.adapter.runtime.ServedTier;
import io.dynims.core.testing.RefusedTls;
import io.dynims.runtime.tls.TlsFiles;
import io.dynims.tier.RawTierClient;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import javax.net.SocketFactory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whoever has a node has all that its pods hold, and opens no other node's tier with it. */
class StolenNodeTest {

  private static final Set<Integer> REFUSED = Set.of(401);
  private static final Set<Integer> DONE = Set.of(200);

  @TempDir private Path scratch;
  private int written;

  @ParameterizedTest
  @MethodSource("variantsWithAdapters")
  void nothingThatItHoldsChangesTheTierOfAnother(String variant) throws Exception {
    Manifests release = new Chart().variant(variant).renderWithTest(scratch);
    List<JsonNode> nodes = podsBesidesTheControllers(release);
    Set<String> stolen = new TreeSet<>();
    nodes.forEach(pod -> stolen.addAll(new MountedFiles(release, pod).readable()));
    int adapters = 0;

    for (JsonNode pod : nodes) {
      for (JsonNode container : pod.path("containers")) {
        if (container.toString().contains("DYNIMS_ADAPTER_HTTP_ADDRESS")) {
          adapters++;
          MountedFiles files = new MountedFiles(release, pod);
          assertOnlyTheControllerChanges(files.write(container, folder()), stolen, release);
        }
      }
    }
    assertThat(adapters).isPositive();
  }

  /** All but the one whose certificates cert-manager makes, and the one without adapters. */
  static Stream<String> variantsWithAdapters() throws IOException {
    return Chart.variants().filter(variant -> !Set.of("gitops", "restricted").contains(variant));
  }

  /** Those of the release, and those that an adapter is put beside. */
  private static List<JsonNode> podsBesidesTheControllers(Manifests release) {
    List<JsonNode> pods = new ArrayList<>();
    release.workloads().stream()
        .filter(workload -> !Manifests.name(workload).endsWith("-controller"))
        .map(Manifests::podSpec)
        .forEach(pods::add);
    release.ofKind("ConfigMap").stream()
        .filter(each -> Manifests.name(each).endsWith("-sidecar"))
        .map(each -> Chart.parse(each.at("/data/patch.yaml").asText()).get(0))
        .map(Manifests::podSpec)
        .forEach(pods::add);
    return pods;
  }

  /** Serves a tier as an adapter with this environment does, and tries all there is at it. */
  private void assertOnlyTheControllerChanges(
      Map<String, String> environment, Set<String> stolen, Manifests release) throws Exception {
    try (ServedTier tier = new ServedTier(environment)) {
      Pushing pushing = pushing(release);
      assertThat(change(tier.uri(), pushing.sockets(), Set.of()))
          .as("the controller")
          .isEqualTo(DONE);

      for (SocketFactory client : clients(stolen, pushing.authorities())) {
        assertThat(change(tier.uri(), client, tokens(stolen))).isEqualTo(REFUSED);
      }
    }
  }

  /** How a client is answered that has no token, and then each of these. */
  private static Set<Integer> change(URI server, SocketFactory sockets, Set<String> tokens)
      throws IOException {
    try (RawTierClient client = new RawTierClient(server, sockets)) {
      Set<Integer> answers = new TreeSet<>(client.change(null));
      for (String token : tokens) {
        answers.addAll(client.change(token));
      }
      return answers;
    } catch (IOException e) {
      if (RefusedTls.isSeenIn(e)) {
        return REFUSED;
      }
      throw e;
    }
  }

  /** How a controller calls an adapter. */
  private record Pushing(SocketFactory sockets, Path authorities) {}

  private Pushing pushing(Manifests release) throws Exception {
    JsonNode workload = release.one("Deployment", "-controller");
    Map<String, String> environment =
        new MountedFiles(release, Manifests.podSpec(workload))
            .write(Manifests.container(workload, "controller"), folder());
    Path authorities = Path.of(environment.get("DYNIMS_PUSH_TLS_CA"));
    return new Pushing(
        client(
            Optional.of(Path.of(environment.get("DYNIMS_PUSH_TLS_CERTIFICATE"))),
            Optional.of(Path.of(environment.get("DYNIMS_PUSH_TLS_KEY"))),
            authorities),
        authorities);
  }

  /** Without a certificate, and with each that one of the keys belongs to. */
  private List<SocketFactory> clients(Set<String> stolen, Path authorities) throws Exception {
    List<SocketFactory> clients = new ArrayList<>();
    clients.add(client(Optional.empty(), Optional.empty(), authorities));
    for (String certificate : having("CERTIFICATE", stolen)) {
      for (String key : having("PRIVATE KEY", stolen)) {
        try {
          clients.add(client(Optional.of(file(certificate)), Optional.of(file(key)), authorities));
        } catch (IOException e) {
          assertThat(e).hasMessageContaining("does not belong");
        }
      }
    }
    assertThat(clients).as("the adapters' own certificate is among them").hasSizeGreaterThan(1);
    return clients;
  }

  private static SocketFactory client(
      Optional<Path> certificate, Optional<Path> key, Path authorities) throws Exception {
    try (TlsFiles files =
        TlsFiles.open(new TlsFiles.Paths(certificate, key, Optional.of(authorities)))) {
      return files.context().getSocketFactory();
    }
  }

  /** All that could be a token. */
  private static Set<String> tokens(Set<String> stolen) {
    Set<String> tokens = new TreeSet<>();
    for (String content : stolen) {
      Stream.concat(content.lines(), Stream.of(content.split("[\\s=:\"]+")))
          .map(String::strip)
          .filter(each -> each.matches("[A-Za-z0-9._~+/-]{16,512}=*"))
          .forEach(tokens::add);
    }
    return tokens;
  }

  private static List<String> having(String label, Set<String> stolen) {
    return stolen.stream().filter(each -> each.contains(label + "-----")).toList();
  }

  private Path file(String content) throws IOException {
    return Files.writeString(folder().resolve("file.pem"), content);
  }

  private Path folder() throws IOException {
    return Files.createDirectory(scratch.resolve("files-" + ++written));
  }
}
