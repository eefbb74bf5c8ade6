package io.dynims.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The prolog and the epilog of batch systems, on this machine's shell and curl. */
class HintScriptTest {

  private static final Path SCRIPT = Path.of("hints/dynims-hint").toAbsolutePath();

  @TempDir private Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private final List<String> requests = new ArrayList<>();
  private HttpServer server;
  private int status = 200;
  private String body;
  private String authorization;

  @BeforeEach
  void serve() throws Exception {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI());
          body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
          authorization = exchange.getRequestHeaders().getFirst("Authorization");
          exchange.sendResponseHeaders(status, -1);
          exchange.close();
        });
    server.start();
    Path token = Files.writeString(folder.resolve("token"), "a-token\nan-older-one\n");
    Path settings = folder.resolve("settings"); // They are a part of the script.
    Files.writeString(settings, "logger() { echo \"$*\"; }\n");
    environment.put("DYNIMS_HINTS_CONF", settings.toString());
    environment.put("DYNIMS_HINTS_TOKEN_FILE", token.toString());
    environment.put("DYNIMS_NODE_NAME", "n1");
    environment.put("DYNIMS_HINTS_URL", url("/v1/tier/hints"));
    environment.put("DYNIMS_HINTS_WAIT_SECONDS", "0");
  }

  @AfterEach
  void stop() {
    server.stop(0);
  }

  @Test
  void aSlurmJobsCommentBecomesAHint() throws Exception {
    environment.put("SLURM_JOB_ID", "4711");
    environment.put("SLURM_JOB_COMMENT", "my run,dynims-hint=20G,v2");

    run("slurm-prolog");
    assertThat(requests).containsExactly("POST /v1/tier/hints");
    assertThat(authorization).isEqualTo("Bearer a-token");
    JsonNode hint = new ObjectMapper().readTree(body);
    assertThat(hint.get("node").asText()).isEqualTo("n1");
    assertThat(hint.get("owner").asText()).isEqualTo("4711");
    assertThat(hint.get("bytes").asLong()).isEqualTo(20L << 30);

    run("slurm-epilog");
    assertThat(requests).last().isEqualTo("DELETE /v1/tier/hints?owner=4711");
  }

  @Test
  void aPbsJobsVariableBecomesAHint() throws Exception {
    program(
        "qstat",
        """
        echo "Job Id: $2"
        printf '  Variable_List = PBS_O_HOME=/root,\\n\\tDYNIMS_HI'
        printf '\\n\\tNT=512mb,A=1\\n'
        """);
    environment.put("DYNIMS_HINTS_URL", url("/api/v1/hints"));

    run("pbs-prologue", "12[3].server");
    JsonNode hint = new ObjectMapper().readTree(body);
    assertThat(hint.get("owner").asText()).isEqualTo("12_3_.server");
    assertThat(hint.get("bytes").asLong()).isEqualTo(512L << 20);

    run("pbs-epilogue", "12[3].server");
    assertThat(requests)
        .containsExactly("POST /api/v1/hints", "DELETE /api/v1/hints/n1/12_3_.server");
  }

  @Test
  void aJobThatAnnouncesNothingHasNoHintUnlessTheSiteSaysSo() throws Exception {
    environment.put("SLURM_JOB_ID", "4711");
    run("slurm-prolog");
    assertThat(requests).isEmpty();

    Path settings = Files.writeString(folder.resolve("hints.conf"), "DYNIMS_HINTS_DEFAULT=2G\n");
    environment.put("DYNIMS_HINTS_CONF", settings.toString());
    run("slurm-prolog");
    assertThat(new ObjectMapper().readTree(body).get("bytes").asLong()).isEqualTo(2L << 30);
  }

  @ParameterizedTest
  @CsvSource({
    "1048576, 1048576",
    "2048k, 2097152",
    "1.5Gi, 1610612736",
    "2TB, 2199023255552",
    "3m, 3145728"
  })
  void readsSizesAsBatchSystemsWriteThem(String size, long bytes) throws Exception {
    run("give", "1", size);

    assertThat(new ObjectMapper().readTree(body).get("bytes").asLong()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "dynims-hint=20G | 20480",
        "dynims-hint=20GB,team=cfd | 20480",
        "{\"reaper\":{\"minutes\":\"90\"},\"dynims-hint\":\"20G\"} | 20480",
        "{\"dynims-hint\": \"512m\", \"a\": 1} | 512",
        "dynims-hint=1.5T | 1572864",
        "DYNIMS-HINT=20G | 20480",
        "dynims-hint = 20G; other | 20480",
        "'dynims-hint: 3g' | 3072"
      })
  void readsCommentsAsUsersWriteThem(String comment, long mebibytes) throws Exception {
    announce(comment);
    assertThat(new ObjectMapper().readTree(body).get("bytes").asLong()).isEqualTo(mebibytes << 20);
  }

  @ParameterizedTest
  @CsvSource({
    "dynims-hint=20, '20'", // A Slurm user's megabytes.
    "dynims-hint=20 GB, '20'",
    "dynims-hint=512k, '512k'",
    "dynims-hint=1;5G, '1'",
    "dynims-hint=lots, 'lots'"
  })
  void reportsASizeThatNobodyCanMean(String comment, String size) throws Exception {
    String said = announce(comment);
    assertThat(requests).isEmpty();
    assertThat(said).contains("job 7: '" + size + "' is not a size such as 20G");
  }

  @Test
  void asksSlurmForTheCommentThatItDoesNotPassYet() throws Exception {
    program("slurmd", "echo slurm 20.11.7");
    program("scontrol", "echo \"JobId=$4 JobName=a Comment=dynims-hint=2G StdErr=/dev/null\"");
    environment.put("SLURM_JOB_ID", "7");
    run("slurm-prolog");
    assertThat(new ObjectMapper().readTree(body).get("bytes").asLong()).isEqualTo(2L << 30);

    program("slurmd", "echo slurm-wlm 22.05.8");
    requests.clear();
    run("slurm-prolog");
    assertThat(requests).as("a job without a comment").isEmpty();
  }

  @Test
  void readsSizesWithAPointInAnyLocale() throws Exception {
    environment.put("LC_ALL", "de_DE.UTF-8");
    environment.put("DYNIMS_HINTS_CONF", folder.resolve("hints.conf").toString());
    Files.writeString(
        folder.resolve("hints.conf"),
        "awk() { echo \"$LC_ALL\" >" + folder.resolve("locale") + "; command awk \"$@\"; }\n");

    run("give", "1", "1.5G");
    assertThat(new ObjectMapper().readTree(body).get("bytes").asLong()).isEqualTo(3L << 29);
    assertThat(folder.resolve("locale")).hasContent("C");
  }

  @Test
  void callsNoProxy() throws Exception {
    for (String name : List.of("http_proxy", "HTTPS_PROXY", "all_proxy")) {
      environment.put(name, "http://127.0.0.1:9");
    }
    run("give", "1", "1G");
    assertThat(requests).hasSize(1);
  }

  @Test
  void neverFailsAJob() throws Exception {
    status = 503;
    run("give", "1", "1G");
    run("withdraw", "1");
    run("give", "1", "much");
    run("give");
    run("no-such-thing");
    server.stop(0);
    run("give", "1", "1G");
    assertThat(requests).hasSize(2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"if [ ; then\n", "DYNIMS_HINTS_DEFAULT=$NOBODY_SETS_THIS\n", "exit 3\n"})
  void neverFailsAJobForAnErrorInTheSettings(String text) throws Exception {
    Path settings = Files.writeString(folder.resolve("hints.conf"), text);
    environment.put("DYNIMS_HINTS_CONF", settings.toString());

    run("give", "1", "1G");
    assertThat(requests).isEmpty();
  }

  @Test
  void takesTheFirstTokenOfAFileWithComments() throws Exception {
    Path token = folder.resolve("commented-token");
    Files.writeString(token, "# The adapter's.\n\n  the-token \nthe-older-one\n");
    environment.put("DYNIMS_HINTS_TOKEN_FILE", token.toString());

    run("give", "1", "1G");
    assertThat(authorization).isEqualTo("Bearer the-token");
  }

  @Test
  void waitsUntilTheMemoryIsFree() throws Exception {
    assertThat(give3Mebibytes("10", "1048576", "1048576", "2097152", "3145728", "9"))
        .contains("job 1: its memory is free on n1 after 0 s");
    assertThat(folder.resolve("looks")).hasContent("1\n1\n1\n1");
  }

  /** What a tier at its minimum holds does not become free. */
  @Test
  void doesNotWaitForWhatNobodyFrees() throws Exception {
    assertThat(give3Mebibytes("10", "1048576", "2097152", "1048576"))
        .contains("job 1: 1048576 of 3145728 bytes are free on n1 after 3 s");
  }

  @Test
  void waitsNoLongerThanItIsTold() throws Exception {
    assertThat(give3Mebibytes("1", "1048576"))
        .contains("1048576 of 3145728 bytes are free on n1 after 1 s");
    assertThat(give3Mebibytes("0", "1048576")).doesNotContain("free");
  }

  @ParameterizedTest
  @ValueSource(strings = {"1m", "08", "-1", "1000", "99999999999999999999"})
  void waitsAsByDefaultIfItIsToldNoTime(String seconds) throws Exception {
    assertThat(give3Mebibytes(seconds, "1048576", "3145728"))
        .contains("DYNIMS_HINTS_WAIT_SECONDS: '" + seconds + "' is no number")
        .contains("its memory is free");
  }

  @Test
  void doesNotWaitWithoutAHint() throws Exception {
    status = 503;
    assertThat(give3Mebibytes("10", "1048576")).contains("no hint").doesNotContain("free");
  }

  /** Gives a hint where the kernel says one after the other that so much memory is free. */
  private String give3Mebibytes(String seconds, String... available) throws Exception {
    Path looks = Files.writeString(folder.resolve("looks"), "");
    Path settings = folder.resolve("hints.conf");
    Files.writeString(
        settings,
        """
        logger() { echo "$*"; }
        available() {
          echo 1 >>%1$s
          set -- %2$s
          skip=$(($(wc -l <%1$s) - 1))
          [ "$skip" -lt $# ] || skip=$(($# - 1))
          shift "$skip"
          echo "$1"
        }
        """
            .formatted(looks, String.join(" ", available)));
    environment.put("DYNIMS_HINTS_CONF", settings.toString());
    environment.put("DYNIMS_HINTS_WAIT_SECONDS", seconds);
    return run("give", "1", "3M");
  }

  private String url(String path) {
    return "http://127.0.0.1:" + server.getAddress().getPort() + path;
  }

  /** What the script says of job 7 with a comment. */
  private String announce(String comment) throws Exception {
    environment.put("SLURM_JOB_ID", "7");
    environment.put("SLURM_JOB_COMMENT", comment);
    return run("slurm-prolog");
  }

  /** A program of the batch system, as the script finds it. */
  private void program(String name, String script) throws Exception {
    Path program = Files.createDirectories(folder.resolve("bin")).resolve(name);
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    assertThat(program.toFile().setExecutable(true)).isTrue();
    environment.put("PATH", System.getenv("PATH") + ":" + program.getParent());
  }

  /** Runs it; it must end with 0. Returns what it said. */
  private String run(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of("/bin/sh", SCRIPT.toString()));
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    Process process = builder.start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(said).isZero();
    return said;
  }
}
