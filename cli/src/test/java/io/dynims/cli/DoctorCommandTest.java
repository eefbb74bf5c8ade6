package io.dynims.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.local.FreePorts;
import io.dynims.tier.GuardSettings;
import io.dynims.tier.InMemoryTierStore;
import io.dynims.tier.TierAccess;
import io.dynims.tier.TierServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DoctorCommandTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Map<String, String> environment = new TreeMap<>();
  @TempDir private Path folder;

  @Test
  void theLocalStackIsExaminedAlsoIfNothingOfItRuns() throws Exception {
    Path home = Files.createDirectories(folder.resolve("home"));
    for (String part :
        List.of("KAFKA", "CONTROLLER", "ADAPTER", "ALLUXIO_WORKER_WEB", "ALLUXIO_MASTER_WEB")) {
      environment.put("DYNIMS_" + part + "_PORT", Integer.toString(FreePorts.next()));
    }

    // Closed ports are known at once, however long the doctor would wait.
    assertThat(run(home, "--timeout", "60s")).isEqualTo(1);
    assertThat(out.toString(UTF_8))
        .containsPattern("error +adapter +nothing listens at http://127")
        .containsPattern("error +controller +nothing listens")
        .containsPattern("error +kafka +the brokers at 127.*nothing listens")
        .containsPattern("error +worker +nothing listens")
        .containsPattern("error +token-file +cannot use .*home/conf/tier-token")
        .contains("mend: ./dynims up starts what is not running; ./dynims logs adapter")
        .containsPattern("\\d+ checks: \\d+ ok, \\d+ warnings, \\d+ errors, \\d+ skipped");
  }

  @Test
  void onlyWhatIsNamedIsExamined() throws Exception {
    InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    InMemoryTierStore store = new InMemoryTierStore("memory", 0, 1 << 20);
    try (TierServer adapter =
        TierServer.start(any, store, GuardSettings.none(), TierAccess.anyone())) {
      assertThat(run(folder, "--adapter", adapter.uri() + "/", "-o", "json")).isZero();
    }
    JsonNode report = new ObjectMapper().readTree(out.toString(UTF_8));

    assertThat(report.get("passed").asBoolean()).isTrue();
    assertThat(verdict(report, "adapter")).isEqualTo("ok");
    assertThat(verdict(report, "lease")).isEqualTo("warning");
    assertThat(verdict(report, "token-asked-for")).isEqualTo("warning");
    assertThat(verdict(report, "controller")).isEqualTo("skipped");
    assertThat(verdict(report, "kafka")).isEqualTo("skipped");
  }

  @Test
  void aNodeWithoutErrorsPasses() {
    assertThat(run(folder, "--state-dir", folder.toString())).isZero();
    assertThat(out.toString(UTF_8)).contains(" 0 errors, ");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--timeout 2s | there is no local stack in",
        "--adapter localhost:7070 | --adapter: 'localhost:7070' is not an address such as",
        "--controller http://localhost/api | --controller:",
        "--adapter http://localhost --timeout 0s | --timeout: '0s' is not above 0",
        "--adapter http://localhost --timeout soon | --timeout:",
        "--kafka-properties /no/such/file | --kafka-properties: cannot read /no/such/file",
        "--kafka-role king | agent, controller, job",
        "--adapter http://localhost --tls-ca /no/such/file | --tls:",
        "--adapter http://localhost -o xml | xml",
        "nobody | nobody"
      })
  void refusesWrongArguments(String line, String message) {
    assertThat(run(folder.resolve("none"), line.split(" ", -1))).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains(message);
  }

  @Test
  void theHelpListsEveryOption() {
    assertThat(run(folder, "--help")).isZero();
    assertThat(out.toString(UTF_8))
        .contains("--node", "--adapter", "--token-file", "--tls-ca", "--controller")
        .contains("--controller-token-file", "--bootstrap", "--kafka-properties", "--kafka-role")
        .contains("--tier-dir", "--worker", "--master", "--state-dir", "--timeout", "--output")
        .contains("Exit codes: 0 no error; 1 an error; 2 wrong arguments.");
  }

  private static String verdict(JsonNode report, String check) {
    for (JsonNode each : report.get("checks")) {
      if (each.get("name").asText().equals(check)) {
        return each.get("verdict").asText();
      }
    }
    return "no check " + check;
  }

  private int run(Path home, String... args) {
    environment.put("DYNIMS_HOME", home.toString());
    String[] all = new String[args.length + 1];
    all[0] = "doctor";
    System.arraycopy(args, 0, all, 1, args.length);
    CliContext context =
        new CliContext(
            Path.of(".."),
            environment,
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8));
    return Dynims.run(context, List.of(), all);
  }
}
