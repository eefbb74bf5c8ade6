package io.dynims.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.adapter.runtime.ServedTier;
import io.dynims.core.testing.Needs;
import io.dynims.runtime.tls.TlsFiles;
import io.dynims.tier.RawTierClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import javax.net.SocketFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Hosts with the certificates, units and drop-ins of docs/security.md. */
class PlainHostsTest {

  private static final Path GUIDE = Path.of("../docs/security.md");
  private static final Path UNITS = Path.of("systemd");
  private static final String CONTROLLER = "dynims-controller";

  @TempDir private Path folder;
  private Path made;

  @BeforeEach
  void makeCertificatesAsTheGuideSays() throws Exception {
    Needs.installed(Path.of("/usr/bin/openssl"), "openssl");
    made = Files.createDirectory(folder.resolve("made"));
    String guide = Files.readString(GUIDE);
    int begin = guide.indexOf("    openssl req -x509");
    String script = guide.substring(begin, guide.indexOf("    done\n", begin)) + "done";
    Process process =
        new ProcessBuilder("bash", "-eu", "-c", script)
            .directory(made.toFile())
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("log").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).as(Files.readString(folder.resolve("log"))).isZero();
  }

  @Test
  void whatANodeHoldsChangesItsOwnTierAndNoOther() throws Exception {
    Map<String, String> stolen = adapter("node001");
    SocketFactory thief =
        sockets(
            loaded(stolen, "DYNIMS_ADAPTER_HTTP_TLS_CERTIFICATE"),
            loaded(stolen, "DYNIMS_ADAPTER_HTTP_TLS_KEY"));
    String token = Files.readString(Path.of(loaded(stolen, "DYNIMS_ADAPTER_HTTP_TOKEN_FILE")));
    Map<String, String> controller = controller();
    SocketFactory pushing =
        sockets(
            loaded(controller, "DYNIMS_PUSH_TLS_CERTIFICATE"),
            loaded(controller, "DYNIMS_PUSH_TLS_KEY"));
    assertThat(controller).containsEntry("DYNIMS_PUSH_TOKEN_FILE", "");

    assertThat(change(stolen, thief, token)).as("on its own node").containsExactly(200);
    Map<String, String> other = adapter("node002");
    for (String each : new String[] {null, token}) {
      assertThat(change(other, thief, each)).as("on another node").containsExactly(401);
    }
    assertThat(change(other, pushing, null)).as("the controller").containsExactly(200);
  }

  /** How an adapter with this environment answers requests that change its tier. */
  private static Set<Integer> change(
      Map<String, String> environment, SocketFactory sockets, String token) throws Exception {
    try (ServedTier tier = new ServedTier(environment);
        RawTierClient client = new RawTierClient(tier.uri(), sockets)) {
      return client.change(token);
    }
  }

  private SocketFactory sockets(String certificate, String key) throws Exception {
    TlsFiles.Paths paths =
        new TlsFiles.Paths(
            Optional.of(Path.of(certificate)),
            Optional.of(Path.of(key)),
            Optional.of(made.resolve("ca.crt")));
    try (TlsFiles files = TlsFiles.open(paths)) {
      return files.context().getSocketFactory();
    }
  }

  private static String loaded(Map<String, String> environment, String variable) {
    String folder = environment.get("CREDENTIALS_DIRECTORY");
    return environment.get(variable).replace("$CREDENTIALS_DIRECTORY", folder);
  }

  private Map<String, String> adapter(String node) throws IOException {
    Path etc = etc(node);
    Files.copy(made.resolve(node + ".crt"), etc.resolve("tls/node.crt"));
    Files.copy(made.resolve(node + ".key"), etc.resolve("tls/node.key"));
    return environment(etc, "dynims-alluxio-adapter.service", "adapter-tls.conf");
  }

  private Map<String, String> controller() throws IOException {
    Path etc = etc(CONTROLLER);
    Files.copy(made.resolve(CONTROLLER + ".crt"), etc.resolve("tls/controller.crt"));
    Files.copy(made.resolve(CONTROLLER + ".key"), etc.resolve("tls/controller.key"));
    return environment(etc, "dynims-controller.service", "controller-tls.conf");
  }

  /** A host's /etc/dynims, with a token of its own. */
  private Path etc(String host) throws IOException {
    Path etc = Files.createDirectories(folder.resolve(host));
    Files.createDirectory(etc.resolve("tls"));
    Files.copy(made.resolve("ca.crt"), etc.resolve("tls/ca.crt"));
    Files.writeString(etc.resolve("tier-token"), "the-token-of-" + host);
    return etc;
  }

  /** What a unit's program gets; later files go before earlier ones. */
  private static Map<String, String> environment(Path etc, String... files) throws IOException {
    Path credentials = Files.createDirectory(etc.resolve("credentials"));
    Map<String, String> environment = new HashMap<>();
    environment.put("CREDENTIALS_DIRECTORY", credentials.toString());
    Pattern credential = Pattern.compile("LoadCredential=(.+):/etc/dynims/(.+)");
    for (String file : files) {
      List<String> lines = Files.readAllLines(UNITS.resolve(file));
      for (String line : lines) {
        var loaded = credential.matcher(line);
        if (loaded.matches()) {
          Files.copy(etc.resolve(loaded.group(2)), credentials.resolve(loaded.group(1)));
        } else if (line.startsWith("Environment=")) {
          for (String variable : line.substring("Environment=".length()).split(" ", -1)) {
            String[] pair = variable.split("=", 2);
            environment.put(pair[0], pair[1]);
          }
        }
      }
    }
    return environment;
  }
}
