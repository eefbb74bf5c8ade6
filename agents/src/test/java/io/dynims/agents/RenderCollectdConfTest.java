package io.dynims.agents;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.testing.CollectdAgent;
import io.dynims.testing.CollectdAgent.Ended;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The script that renders collectd's configuration. */
class RenderCollectdConfTest {

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "--node|a/b",
        "--node|a b",
        "--node|a\"b",
        "--node|``",
        "--brokers|kafka",
        "--brokers|kafka:0",
        "--brokers|kafka:65536",
        "--brokers|kafka:9092,,b:1",
        "--brokers|kafka:9092,",
        "--brokers|ka\"fka:9092",
        "--brokers|``",
        "--interval|0",
        "--interval|0.001",
        "--interval|100ms",
        "--interval|3601",
        "--memory-plugin|both",
        "--plugin-dir|/nowhere",
        "--cgroup-root|/nowhere",
        "--memory-total|1Gi",
        "--memory-total|0",
        "--memory-total|1073741824",
        "--tier|``",
        "--tier|a/b",
        "--tier|a b",
        "--tier|alluxio",
        "--tier-directory|``",
        "--tier-directory|/",
        "--tier-directory|tier",
        "--tier-directory|/a\"b",
        "--tier-directory|/dev/shm",
        "--heartbeat|0",
        "--heartbeat|500ms",
        "--heartbeat|0.5",
        "--tolerance|0.2",
        "--tolerance|0.1%",
        "--tolerance|0.01",
        "--alive-file|alive",
        "--alive-file|/a\"b",
        "--property|security.protocol",
        "--property|=ssl",
        "--property|a.b=\"c",
        "--properties-file|/nowhere",
        "--properties-file|/",
        "--output|/",
      })
  void namesTheWrongArgument(String option, String value) throws Exception {
    Ended ended = render(option, value == null ? "" : value);

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.output().lines())
        .isNotEmpty()
        .allSatisfy(line -> assertThat(line).startsWith("render-collectd-conf: " + option + ": "));
  }

  @Test
  void namesAllWrongArgumentsAtOnce() throws Exception {
    Ended ended = CollectdAgent.render(List.of("--interval", "x", "--verbose"));

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.output())
        .contains("--node: is required", "--brokers: is required", "--interval: ", "--verbose: ");
  }

  @ParameterizedTest
  @ValueSource(strings = {"--node", "--property", "--properties-file", "--output"})
  void rejectsAnOptionWithoutAValue(String option) throws Exception {
    Ended ended = render(option);

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.output()).contains(option + ": has no value");
  }

  @Test
  void configuresAControlGroupAsTheNode() throws Exception {
    Ended ended = render("--cgroup-root", "/", "--memory-total", "1073741824");

    assertThat(ended.exitCode()).isEqualTo(0);
    assertThat(ended.output())
        .contains(
            """
              Import "dynims_memory"
              <Module dynims_memory>
                CgroupRoot "/"
                MemoryTotal 1073741824
              </Module>
            </Plugin>
            """);
  }

  @Test
  void configuresATierWhoseDirectoryMayComeLater() throws Exception {
    Ended ended = render("--tier", "alluxio", "--tier-directory", "/not there/yet");

    assertThat(ended.exitCode()).isEqualTo(0);
    assertThat(ended.output())
        .contains(
            """
              <Module dynims_memory>
                Tier "alluxio"
                TierDirectory "/not there/yet"
              </Module>
            """);
  }

  @Test
  void configuresReportsByException() throws Exception {
    assertThat(render("--report-by-exception").output())
        .contains(
            """
              <Module dynims_memory>
                Heartbeat 0.5
                Tolerance 0.001
              </Module>
            """);
    assertThat(render("--report-by-exception", "--heartbeat", "2", "--tolerance", "0.01").output())
        .contains("    Heartbeat 2\n    Tolerance 0.01\n");
    assertThat(render().output()).doesNotContain("<Module");
  }

  @Test
  void rejectsReportsByExceptionForTheStockPlugin() throws Exception {
    Ended ended = render("--memory-plugin", "stock", "--report-by-exception");

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.output())
        .isEqualTo(
            "render-collectd-conf: --report-by-exception: the plugin stock sends every sample\n");
  }

  @Test
  void rejectsATierWhoseNameCollectdWouldCut() throws Exception {
    String longest = "t".repeat(127);

    assertThat(render("--tier", longest, "--tier-directory", "/tier").exitCode()).isEqualTo(0);
    assertThat(render("--tier", longest + "t", "--tier-directory", "/tier").output())
        .isEqualTo("render-collectd-conf: --tier: has 128 characters, collectd keeps 127\n");
  }

  @Test
  void rejectsATierForTheStockPlugin() throws Exception {
    Ended ended =
        render("--memory-plugin", "stock", "--tier", "alluxio", "--tier-directory", "/tier");

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.output())
        .isEqualTo("render-collectd-conf: --tier: the plugin stock does not measure tiers\n");
  }

  @Test
  void helpExitsWithZero() throws Exception {
    Ended ended = CollectdAgent.render(List.of("--help"));

    assertThat(ended.exitCode()).isZero();
    assertThat(ended.output()).startsWith("usage: ").contains("--memory-plugin");
  }

  @Test
  void putsPropertiesWhereTheyTakeEffect() throws Exception {
    Ended ended = render("--property", "security.protocol=ssl", "--property", "acks=all");

    assertThat(ended.exitCode()).isZero();
    int topic = ended.output().indexOf("<Topic ");
    assertThat(ended.output().indexOf("Property \"security.protocol\" \"ssl\""))
        .isBetween(0, topic);
    assertThat(ended.output().indexOf("Property \"acks\" \"all\"")).isGreaterThan(topic);
    assertThat(ended.output().indexOf("\"message.timeout.ms\"")).isGreaterThan(topic);
  }

  @Test
  void keepsAPasswordPrivateAndOutOfMessages() throws Exception {
    Path output = folder.resolve("collectd.conf");

    assertThat(render("--output", "" + output, "--property", "sasl.password=secret").exitCode())
        .isZero();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(output)))
        .isEqualTo("rw-------");
    assertThat(render("--property", "sasl.password=se\"cret").output()).doesNotContain("cret");
  }

  @Test
  void readsPropertiesFromAFile() throws Exception {
    Path properties =
        Files.writeString(
            folder.resolve("librdkafka.properties"),
            "# For collectd\n\n  security.protocol=sasl_ssl\t\nacks=all\nsasl.password=a=b # c");
    Path output = folder.resolve("collectd.conf");

    assertThat(render("--properties-file", "" + properties, "--output", "" + output).exitCode())
        .isZero();
    assertThat(output)
        .content()
        .contains("\n  Property \"security.protocol\" \"sasl_ssl\"\n")
        .contains("\n  Property \"sasl.password\" \"a=b # c\"\n")
        .contains("\n    Property \"acks\" \"all\"\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(output)))
        .isEqualTo("rw-------");
  }

  @Test
  void namesTheLineOfAPropertiesFileAndNotItsContent() throws Exception {
    Path properties =
        Files.writeString(folder.resolve("p"), "acks=1\nsecret\nsasl.password=se\"cret\n");

    Ended ended = render("--properties-file", "" + properties);

    assertThat(ended.exitCode()).isEqualTo(2);
    assertThat(ended.output())
        .contains("--properties-file: line 2: ", "--properties-file: line 3: ", "sasl.password")
        .doesNotContain("cret");
  }

  @Test
  void keepsAnEarlierFileIfItFails() throws Exception {
    Path output = Files.writeString(folder.resolve("collectd.conf"), "earlier");

    assertThat(render("--output", "" + output, "--interval", "x").exitCode()).isEqualTo(2);
    assertThat(output).hasContent("earlier");
  }

  private static Ended render(String... more) throws Exception {
    List<String> arguments = new ArrayList<>();
    // A later value of an option overrides an earlier one.
    arguments.addAll(List.of("--node", "node-1", "--brokers", "kafka-1:9092,[::1]:9092"));
    arguments.addAll(List.of(more));
    return CollectdAgent.render(arguments);
  }
}
