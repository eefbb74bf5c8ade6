package io.dynims.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.experiments.bench.SavedPage;
import io.dynims.experiments.bench.SavedPages;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The pages of results say at their top if they are old. A page becomes so by commits that do not
 * touch it, so this fails only when it is twice as old as it may be; {@code ./dynims bench ages}
 * does at once.
 */
class ResultPagesTest {

  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();

  private final SavedPages pages = new SavedPages(PROJECT);

  @Test
  void nameModulesThatExist() throws IOException {
    List<SavedPage> all = pages.list();

    assertThat(all).hasSizeGreaterThan(20);
    for (SavedPage page : all) {
      assertThat(pages.modules(page))
          .as(page.name())
          .isNotEmpty()
          .allSatisfy(module -> assertThat(PROJECT.resolve(module)).isDirectory());
    }
  }

  @Test
  void sayWhetherTheyWereMeasuredWithUncommittedChanges() throws IOException {
    for (SavedPage page : pages.list()) {
      assertThat(page.caution().contains(SavedPages.CHANGED))
          .as(page.name())
          .isEqualTo(page.changed());
    }
  }

  @Test
  void sayWhetherTheyAreOld() throws IOException {
    // An exported tree and a shallow clone do not have the commits.
    List<SavedPage> countable = pages.hasHistory() ? pages.list() : List.of();
    for (SavedPage page : countable) {
      int newer = pages.newerCommits(page).orElse(0);
      if (newer > 2 * SavedPages.MOST_COMMITS) {
        assertThat(page.caution()).as(page.name()).contains(SavedPages.OLD);
      } else if (newer <= SavedPages.MOST_COMMITS) {
        assertThat(page.caution()).as(page.name()).doesNotContain(SavedPages.OLD);
      }
    }
  }
}
