package io.dynims.experiments;

import io.dynims.cli.CliContext;
import io.dynims.cli.stack.Text;
import io.dynims.experiments.bench.SavedPage;
import io.dynims.experiments.bench.SavedPages;
import io.dynims.runtime.config.Program;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

@Command(
    name = "ages",
    description =
        "Measure nothing: list the saved pages, and how many commits of the modules that they measure"
            + " are newer.",
    footer = {
      "",
      "Fails if a page that is more than "
          + SavedPages.MOST_COMMITS
          + " such commits old, was measured with uncommitted changes, or names a commit that is no"
          + " longer there, does not say so at its top."
    })
final class BenchAgesCommand implements Callable<Integer> {

  private final CliContext context;

  @Option(names = "--write", description = "Make every page say at its top what it has to.")
  private boolean write;

  BenchAgesCommand(CliContext context) {
    this.context = context;
  }

  @Override
  public Integer call() throws IOException {
    SavedPages pages = new SavedPages(context.home().project());
    if (!pages.hasHistory()) {
      context.err().println("ages: without the whole history of git no commits can be counted");
      return write ? Program.EXIT_FAILED : 0;
    }
    List<List<String>> rows = new ArrayList<>();
    rows.add(List.of("page", "commit", "newer commits", "at its top"));
    boolean wrong = false;
    for (SavedPage page : pages.list()) {
      OptionalInt newer = pages.newerCommits(page);
      boolean right = page.caution().equals(pages.caution(page));
      if (!right && write) {
        pages.correct(page);
      }
      wrong |= !right && !write;
      rows.add(
          List.of(
              page.name(),
              page.commit() + (page.changed() ? " with changes" : ""),
              newer.isPresent() ? String.valueOf(newer.getAsInt()) : "commit lost",
              right ? "right" : write ? "corrected" : "wrong"));
    }
    Text.table(rows).forEach(context.out()::println);
    if (wrong) {
      context.err().println("ages: correct the pages with ./dynims bench ages --write");
    }
    return wrong ? Program.EXIT_FAILED : 0;
  }
}
