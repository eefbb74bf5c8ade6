package io.dynims.charts;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What ./dynims images asks of Docker, for which a script stands in. */
class ImagesTest {

  private static final Path DYNIMS = Path.of("../dynims").toAbsolutePath().normalize();
  private static final String ENGINE =
      """
      #!/bin/sh
      case "$1" in
        version) echo amd64 ;;
        save) echo an archive ;;
        *) echo "$*" >>"$(dirname "$0")/calls" ;;
      esac
      """;

  @TempDir Path scratch;

  @BeforeEach
  void startEngine() throws IOException {
    docker(ENGINE);
  }

  @Test
  void buildsAndPushesTheImagesThatTheChartStarts() throws Exception {
    Outcome outcome = images("--push", "registry.example.com/dynims", "--tag", "1.2.3");

    assertThat(outcome.status()).isZero();
    assertThat(pushed()).isEqualTo(ofTheChart(":1.2.3"));
    assertThat(Chart.parse(outcome.output()).get(0))
        .as("values for the chart")
        .isEqualTo(
            Chart.parse("image: {registry: registry.example.com/dynims, tag: \"1.2.3\"}").get(0));
  }

  @Test
  void withComposeItPushesAllThatDockerComposeStarts() throws Exception {
    images("--compose", "--push", "registry.example.com/dynims", "--tag", "1.2.3");

    Set<String> wanted = ofTheChart(":1.2.3");
    Matcher image =
        Pattern.compile("image: (dynims-[a-z-]+):")
            .matcher(Files.readString(Path.of("../docker-compose.yml")));
    while (image.find()) {
      wanted.add("registry.example.com/dynims/" + image.group(1) + ":1.2.3");
    }
    assertThat(pushed())
        .contains("registry.example.com/dynims/dynims-alluxio:1.2.3")
        .isEqualTo(wanted);
  }

  private Set<String> pushed() throws IOException {
    Set<String> pushed = new TreeSet<>();
    for (String call : calls()) {
      if (call.startsWith("push ")) {
        pushed.add(call.substring("push ".length()));
      }
    }
    return pushed;
  }

  private static Set<String> ofTheChart(String tag) {
    JsonNode annotations = Chart.file("Chart.yaml").path("annotations");
    return Chart.parse(annotations.path("artifacthub.io/images").asText())
        .get(0)
        .findValuesAsText("image")
        .stream()
        .map(image -> "registry.example.com/dynims/" + image.replaceFirst(":.*", tag))
        // Only with --flink-application.
        .filter(image -> !image.contains("-flink-application"))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void tagsWithTheProjectsVersionUnlessToldOtherwise() throws Exception {
    images("dynims-agent");

    assertThat(calls())
        .singleElement()
        .asString()
        .contains("--target dynims-agent ")
        .contains("--tag dynims-agent:" + System.getProperty("project.version") + " ");
  }

  @Test
  void saysWhichPlatformItLeavesOut() throws Exception {
    Outcome outcome = images("--platform", "amd64,arm64", "dynims-agent");

    assertThat(outcome.status()).isEqualTo(4);
    assertThat(outcome.errors()).contains("not built for arm64: this machine is amd64");
    assertThat(calls()).singleElement().asString().contains("--platform linux/amd64");
  }

  @Test
  void buildsForBothPlatformsWhereTheOtherIsEmulated() throws Exception {
    Files.createFile(Files.createDirectory(scratch.resolve("binfmt")).resolve("qemu-aarch64"));

    Outcome outcome =
        images(
            "--platform", "amd64,arm64", "--push", "r.example", "--tag", "1.2.3", "dynims-agent");

    assertThat(outcome.status()).as(outcome.errors()).isZero();
    assertThat(calls())
        .anyMatch(call -> call.contains("--platform linux/arm64"))
        .contains(
            "push r.example/dynims-agent:1.2.3-amd64",
            "push r.example/dynims-agent:1.2.3-arm64",
            "manifest create --amend r.example/dynims-agent:1.2.3"
                + " r.example/dynims-agent:1.2.3-amd64 r.example/dynims-agent:1.2.3-arm64")
        .last()
        .isEqualTo("manifest push --purge r.example/dynims-agent:1.2.3");
  }

  @Test
  void savesAnArchiveForEachImage() throws Exception {
    Path folder = scratch.resolve("saved");

    images("--save", folder.toString(), "--tag", "1.2.3", "dynims-agent", "dynims-controller");

    assertThat(folder.resolve("dynims-agent-1.2.3-amd64.tar.gz")).isNotEmptyFile();
    assertThat(folder.resolve("dynims-controller-1.2.3-amd64.tar.gz")).isNotEmptyFile();
  }

  @Test
  void aFailedBuildIsAFailure() throws Exception {
    docker(ENGINE.replace("*) echo", "build) exit 1 ;;\n  *) echo"));

    Outcome outcome = images("--tag", "1.2.3", "dynims-agent");

    assertThat(outcome.status()).isEqualTo(1);
    assertThat(outcome.errors()).contains("the build of dynims-agent:1.2.3 failed");
  }

  @Test
  void withoutAnEngineNothingIsBuiltAndItSaysSo() throws Exception {
    docker("#!/bin/sh\nexit 1\n");

    Outcome outcome = images("dynims-agent");

    assertThat(outcome.status()).isEqualTo(3);
    assertThat(outcome.errors()).contains("no Docker engine answers; nothing was built");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "dynims-other | there is no image dynims-other",
        "--tag a/b | 'a/b' is not a tag",
        "--push A dynims-agent | 'A' is not a registry",
        "--all | unknown option --all",
        "--tag | --tag needs a value"
      })
  void refusesWrongArguments(String arguments, String message) throws Exception {
    Outcome outcome = images(arguments.split(" ", -1));

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.errors()).contains(message);
    assertThat(calls()).isEmpty();
  }

  private List<String> calls() throws IOException {
    Path calls = scratch.resolve("bin/calls");
    return Files.exists(calls) ? Files.readAllLines(calls) : List.of();
  }

  private void docker(String script) throws IOException {
    Path program = Files.createDirectories(scratch.resolve("bin")).resolve("docker");
    Files.writeString(program, script);
    assertThat(program.toFile().setExecutable(true)).isTrue();
  }

  private record Outcome(int status, String output, String errors) {}

  private Outcome images(String... arguments) throws Exception {
    List<String> command = new ArrayList<>(List.of(DYNIMS.toString(), "images"));
    command.addAll(List.of(arguments));
    Path output = scratch.resolve("output");
    Path errors = scratch.resolve("errors");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(output.toFile()).redirectError(errors.toFile());
    builder.environment().put("DYNIMS_BINFMT", scratch.resolve("binfmt").toString());
    builder
        .environment()
        .merge("PATH", scratch.resolve("bin").toString(), (old, bin) -> bin + ":" + old);
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Outcome(process.exitValue(), Files.readString(output), Files.readString(errors));
  }
}
