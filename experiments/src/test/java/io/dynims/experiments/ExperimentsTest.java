package io.dynims.experiments;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.cli.CliContext;
import io.dynims.experiments.bench.TestRepository;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class ExperimentsTest {

  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();

  @Test
  void listsItsCommandsWithThoseOfTheCommandLine() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString(UTF_8)).contains("up", "simulate", "demo", "bench");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "bench",
        "bench resize -o xml",
        "bench resize --repetitions 0",
        "bench resize --slices many",
        "bench control --loads nothing",
        "bench control --laws Guess",
        "bench control --repetitions 0",
        "bench reaction --seconds 0",
        "bench node --warm-up -1",
        "bench fleet --seconds 3601",
        "bench fleet --moving 10% --trace",
        "bench fleet --trace no-such-trace"
      })
  void refusesWrongArguments(String line) {
    assertThat(run(line.split(" ", -1))).isEqualTo(2);
  }

  /** All benchmarks and experiments. */
  static List<String> savingCommands() {
    CliContext context = new CliContext(Path.of("."), Map.of(), System.out, System.err);
    return Stream.of(BenchCommand.line(context), ExperimentCommand.line(context))
        .flatMap(
            line ->
                line.getSubcommands().keySet().stream()
                    .map(name -> line.getCommandName() + " " + name))
        .filter(command -> !command.equals("bench ages"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("savingCommands")
  void measuresNothingForAPageWhoseTreeHasUncommittedChanges(String command) throws Exception {
    TestRepository repository = new TestRepository(folder);
    repository.write("program", "old");
    repository.commit();
    repository.write("program", "new");

    assertThat(run((command + " --save").split(" ", -1))).isEqualTo(2);

    assertThat(out.toString(UTF_8)).contains("--save: uncommitted changes (program)");
    assertThat(folder.resolve("home")).doesNotExist();
  }

  private int run(String... args) {
    var stream = new PrintStream(out, true, UTF_8);
    var environment = Map.of("DYNIMS_HOME", folder.resolve("home").toString());
    return Experiments.run(new CliContext(folder, environment, stream, stream), args);
  }
}
