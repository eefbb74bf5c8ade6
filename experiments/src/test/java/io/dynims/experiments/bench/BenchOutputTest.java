package io.dynims.experiments.bench;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.dynims.cli.stack.StackException;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BenchOutputTest {

  private static final Findings FINDINGS =
      new Findings("Title", Map.of("ratio", 0.5), List.of(), List.of(), List.of(), List.of());

  @TempDir private Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final PrintStream printed = new PrintStream(out, true, UTF_8);
  private TestRepository repository;

  @BeforeEach
  void commitAProject() throws Exception {
    repository = new TestRepository(folder);
    repository.write(".gitignore", "target/\n");
    repository.write("a", "committed");
    repository.write("experiments/pom.xml", "committed");
    repository.commit();
  }

  @Test
  void refusesChangedAndNewFilesAndNamesTheFirst() throws Exception {
    repository.write("a", "changed");
    for (String file : List.of("b", "c", "d", "e")) {
      repository.write(file, "new");
    }

    assertThatThrownBy(() -> new BenchOutput(folder, true))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("uncommitted changes (a, b, c and 2 more)")
        .hasMessageContaining("commit or stash them, or leave out --save");
  }

  @Test
  void refusesWhatGitCannotTellTheCommitOf() {
    assertThatThrownBy(() -> new BenchOutput(folder.resolve("none"), true))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("git does not tell the commit");
  }

  @Test
  void acceptsNewResultsAndWhatGitIgnores() throws Exception {
    repository.write("experiments/results/x.md", "new");
    repository.write("target/x", "new");

    assertThatCode(() -> new BenchOutput(folder, true)).doesNotThrowAnyException();
  }

  @Test
  void savesThePageAndItsDataWithTheCommitThatWasMeasured() throws Exception {
    String measured = repository.head();
    BenchOutput output = new BenchOutput(folder, true);
    repository.write("a", "changed while it was measured");
    repository.commit();
    repository.write("a", "changed again");

    output.report("x", FINDINGS, "./dynims bench x --save", printed, printed);

    Path results = folder.resolve("experiments/results");
    assertThat(results.resolve("x.md")).content().contains("| commit | " + measured + " |");
    var json = new ObjectMapper().readTree(results.resolve("x.json").toFile());
    assertThat(json.get("ratio").asDouble()).isEqualTo(0.5);
    assertThat(json.at("/provenance/commit").asText()).isEqualTo(measured);
    assertThat(out.toString(UTF_8))
        .contains("written: experiments/results/x.md", "written: experiments/results/x.json");
  }

  @Test
  void reportsUncommittedChangesWithoutSaving() throws Exception {
    repository.write("a", "changed");

    new BenchOutput(folder).report("x", FINDINGS, "./dynims bench x", printed, printed);

    assertThat(out.toString(UTF_8)).contains(repository.head() + "+changes");
    assertThat(folder.resolve("experiments/results")).doesNotExist();
  }
}
