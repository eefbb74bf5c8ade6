package io.dynims.experiments.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SavedPagesTest {

  private static final String PAGE = "experiments/results/law.md";

  @TempDir private Path folder;
  private TestRepository repository;
  private String measured;

  @BeforeEach
  void commitAProject() throws Exception {
    repository = new TestRepository(folder);
    repository.write("core/a", "measured");
    repository.write("docs/a", "not measured");
    measured = repository.commit();
  }

  @Test
  void aPageIsOldAfterMoreThan100CommitsOfWhatItMeasures() throws Exception {
    save(measured);
    repository.commits("docs/a", 20);
    repository.commits("core/a", 100);
    assertThat(newerCommits()).isEqualTo(100);
    assertThat(corrected()).isEqualTo(page(measured));

    repository.commits("core/a", 1);
    assertThat(newerCommits()).isEqualTo(101);
    assertThat(corrected())
        .startsWith(
            "# The law\n\n> **Caution:** The measured modules have had more than 100 commits since.\n\n| |");
  }

  @Test
  void aPageThatIsMeasuredAgainIsOldNoMore() throws Exception {
    save(measured);
    repository.commits("core/a", 101);
    corrected();
    String again = repository.head();
    repository.write(PAGE, Files.readString(folder.resolve(PAGE)).replace(measured, again));

    assertThat(corrected()).isEqualTo(page(again));
  }

  @Test
  void aPageSaysThatNobodyCanCheckOutWhatWasMeasured() throws Exception {
    save(measured + "+changes");

    assertThat(corrected())
        .contains(
            "> **Caution:** Measured with uncommitted changes, which nobody can check out.\n");
    assertThat(corrected()).containsOnlyOnce("Caution");
  }

  @Test
  void aPageSaysThatItsCommitIsLost() throws Exception {
    String branch = repository.git("", "symbolic-ref", "--short", "HEAD");
    repository.git("", "checkout", "--quiet", "-b", "other");
    repository.write("core/a", "of another branch");
    String other = repository.commit();
    repository.git("", "checkout", "--quiet", branch);
    save(other);
    assertThat(corrected()).contains("> **Caution:** Its commit is no longer in the history");

    save("0123456789ab");
    assertThat(corrected()).contains("> **Caution:** Its commit is no longer in the history");
  }

  @Test
  void countsOnlyWithTheWholeHistory() throws Exception {
    save(measured);
    repository.commit();
    assertThat(pages().hasHistory()).isTrue();

    Path shallow = folder.resolve("shallow");
    repository.git("", "clone", "--quiet", "--depth", "1", folder.toUri().toString(), "shallow");
    assertThat(new SavedPages(shallow).hasHistory()).isFalse();
    assertThat(new SavedPages(folder.resolve("docs")).hasHistory()).isFalse();
    assertThat(new SavedPages(folder.resolve("none")).hasHistory()).isFalse();
  }

  @Test
  void everyKindOfPageHasItsModules() throws Exception {
    repository.write("experiments/results/new-kind.md", page(measured));

    assertThatThrownBy(() -> pages().modules(pages().list().get(0)))
        .hasMessageContaining("new-kind");
  }

  private SavedPages pages() {
    return new SavedPages(folder);
  }

  private int newerCommits() throws Exception {
    return pages().newerCommits(pages().list().get(0)).orElseThrow();
  }

  /** The page after it was corrected. */
  private String corrected() throws Exception {
    pages().correct(pages().list().get(0));
    return Files.readString(folder.resolve(PAGE));
  }

  private void save(String commit) throws Exception {
    repository.write(PAGE, page(commit));
    repository.write("experiments/results/README.md", "# Written by hand\n");
  }

  private static String page(String commit) {
    return "# The law\n\n| | |\n| --- | --- |\n| commit | " + commit + " |\n\n- Measured twice.\n";
  }
}
