package io.dynims.runtime.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigTest {

  private static final String SETTINGS =
      """
      # Where to listen.
      http.address = ${TEST_ADDRESS:127.0.0.1:7070}
      slice = ${TEST_SLICE:32Mi}
      name = ${TEST_NAME:}
      more.properties = ${TEST_MORE_PROPERTIES:}
      """;

  @TempDir Path folder;

  @Test
  void defaultsComeFromTheBundledFile() throws Exception {
    Config config = read(Map.of());

    assertThat(config.address("http.address").getPort()).isEqualTo(7070);
    assertThat(config.bytes("slice")).isEqualTo(32L << 20);
    assertThat(config.text("name")).isEmpty();
    config.check();
  }

  @Test
  void argumentGoesBeforeEnvironmentBeforeFileBeforeDefault() throws Exception {
    Path file = folder.resolve("my.properties");
    Files.writeString(file, "slice = 1Mi\nname = file\nhttp.address = 127.0.0.1:1");

    Config config =
        read(
            Map.of("TEST_SLICE", "2Mi", "TEST_NAME", "environment"),
            "--config",
            file.toString(),
            "--name=argument");

    assertThat(config.text("name")).isEqualTo("argument");
    assertThat(config.bytes("slice")).isEqualTo(2L << 20);
    assertThat(config.address("http.address").getPort()).isEqualTo(1);
    config.check();
  }

  @Test
  void severalAddressesAreSeparatedByCommas() {
    Config config = read(Map.of(), "--name=host-1:1, host-2:2", "--slice=host-1:1,");

    assertThat(config.addresses("name"))
        .extracting(each -> each.getHostString() + " " + each.getPort())
        .containsExactly("host-1 1", "host-2 2");
    assertThat(config.addresses("slice")).isEmpty();
    assertThatThrownBy(config::check)
        .hasMessageContaining("slice: '' is not of the form host:port");
  }

  @Test
  void furtherPropertiesComeFromTheFileThatIsNamed() throws Exception {
    Path file = folder.resolve("client.properties");
    Files.writeString(file, "security.protocol=SASL_SSL\nclient.id=me");

    Config named = read(Map.of(), "--more.properties=" + file);
    Config missing = read(Map.of(), "--more.properties=" + folder.resolve("other"));

    assertThat(named.properties("more.properties"))
        .containsOnly(Map.entry("security.protocol", "SASL_SSL"), Map.entry("client.id", "me"));
    assertThat(read(Map.of()).properties("more.properties")).isEmpty();
    assertThat(missing.properties("more.properties")).isEmpty();
    assertThatThrownBy(missing::check).hasMessageContaining("more.properties: cannot read ");
  }

  @Test
  void aPathMayBeginWithTheCredentialsOfAUnit() throws Exception {
    Files.writeString(folder.resolve("kafka"), "client.id=me");
    String path = "--more.properties=$CREDENTIALS_DIRECTORY/kafka";

    Config unit = read(Map.of("CREDENTIALS_DIRECTORY", folder.toString()), path);
    assertThat(unit.properties("more.properties")).containsOnly(Map.entry("client.id", "me"));

    Config none = read(Map.of(), path);
    assertThat(none.properties("more.properties")).isEmpty();
    assertThatThrownBy(none::check)
        .hasMessageContaining("more.properties: '$CREDENTIALS_DIRECTORY/kafka' needs a unit");
  }

  @Test
  void namesEveryErrorAtOnce() {
    Config config =
        read(Map.of("TEST_SLICE", "many"), "--nam=x", "stray", "--http.address=nowhere");
    config.bytes("slice");
    config.address("http.address");
    config.required("name");

    assertThatThrownBy(config::check)
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(
            "nam: is not a setting",
            "stray: is not an option",
            "slice: 'many' is not a number of bytes",
            "http.address: 'nowhere' is not of the form host:port",
            "name: is required");
  }

  @Test
  void helpShowsEverySetting() {
    ByteArrayOutputStream out = new ByteArrayOutputStream();

    int exitCode = run(out, config -> {}, "--help");

    assertThat(exitCode).isZero();
    assertThat(out.toString(StandardCharsets.UTF_8)).contains("usage: test", SETTINGS.strip());
  }

  @Test
  void badSettingsEndWithTwoAndAFailedStartWithOne() {
    ByteArrayOutputStream err = new ByteArrayOutputStream();

    assertThat(run(err, Config::check, "--wrong=1")).isEqualTo(Program.EXIT_USAGE);
    assertThat(
            run(
                err,
                config -> {
                  throw new IllegalStateException("port taken");
                }))
        .isEqualTo(Program.EXIT_FAILED);
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("test: wrong: is not a setting", "test: port taken");
  }

  private static int run(ByteArrayOutputStream printed, Program.Start start, String... args) {
    PrintStream stream = new PrintStream(printed, true, StandardCharsets.UTF_8);
    return new Program("test", "Tests.", SETTINGS).run(args, Map.of(), stream, stream, start);
  }

  private static Config read(Map<String, String> environment, String... args) {
    return Config.read(SETTINGS, args, environment);
  }
}
