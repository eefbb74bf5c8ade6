package io.dynims.experiments.bench;

import static java.util.Map.entry;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** The pages that benchmarks saved, and how many commits of what they measure are newer. */
public final class SavedPages {

  /** Of so many newer commits a page need not say anything. */
  public static final int MOST_COMMITS = 100;

  /** A page that is older says so. */
  public static final String OLD =
      "The measured modules have had more than " + MOST_COMMITS + " commits since.";

  /** A page says so if nobody can check out what was measured. */
  public static final String CHANGED =
      "Measured with uncommitted changes, which nobody can check out.";

  private static final String LOST =
      "Its commit is no longer in the history, so that its age is not known.";

  private static final List<String> ADAPTER =
      List.of("core", "tier-api", "adapter-runtime", "alluxio-adapter");
  private static final List<String> NODE = with(ADAPTER, "agents");
  private static final List<String> LOOP = with(NODE, "flink-job", "controller");

  /** The modules that a benchmark measures, by the first word of its pages' names. */
  private static final Map<String, List<String>> MEASURED =
      Map.ofEntries(
          entry("chaos", LOOP),
          entry("control", LOOP),
          entry("fleet", List.of("core", "tier-api", "flink-job", "controller")),
          entry("hostile", LOOP),
          entry("law", List.of("core", "flink-job")),
          entry("mpiio", List.of("mpiio-cache")),
          entry("node", NODE),
          entry("paper", LOOP),
          entry("reaction", LOOP),
          entry("resize", ADAPTER),
          entry("threshold", List.of("core")),
          entry("tier", with(LOOP, "mpiio-cache")));

  private final Git git;
  private final Path results;

  /**
   * Those of a project.
   *
   * @param project its folder
   */
  public SavedPages(Path project) {
    this.git = new Git(project);
    this.results = project.resolve("experiments/results");
  }

  /** Whether commits can be counted; not in an exported tree, nor in a shallow clone. */
  public boolean hasHistory() {
    return git.run("rev-parse", "--is-shallow-repository", "--show-prefix")
        .filter("false"::equals)
        .isPresent();
  }

  /** All pages, by name. */
  public List<SavedPage> list() throws IOException {
    List<SavedPage> pages = new ArrayList<>();
    try (Stream<Path> files = Files.list(results)) {
      for (Path file : files.filter(each -> each.toString().endsWith(".md")).sorted().toList()) {
        SavedPage.read(file).ifPresent(pages::add);
      }
    }
    return pages;
  }

  /** The modules that a page is about. */
  public List<String> modules(SavedPage page) {
    return Optional.ofNullable(MEASURED.get(page.name().replaceAll("-.*", "")))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    page.name() + ": SavedPages does not say what it measures"));
  }

  /** How many commits of its modules are newer than a page; empty if its commit is lost. */
  public OptionalInt newerCommits(SavedPage page) {
    if (git.run("merge-base", "--is-ancestor", page.commit(), "HEAD").isEmpty()) {
      return OptionalInt.empty();
    }
    List<String> count = new ArrayList<>(List.of("rev-list", "--count"));
    count.addAll(List.of(page.commit() + "..HEAD", "--"));
    count.addAll(modules(page));
    return git.run(count.toArray(String[]::new)).stream().mapToInt(Integer::parseInt).findFirst();
  }

  /** What a page has to say at its top; may be empty. */
  public String caution(SavedPage page) {
    OptionalInt newer = newerCommits(page);
    List<String> sentences = new ArrayList<>();
    if (page.changed()) {
      sentences.add(CHANGED);
    }
    if (newer.isEmpty()) {
      sentences.add(LOST);
    } else if (newer.getAsInt() > MOST_COMMITS) {
      sentences.add(OLD);
    }
    return String.join(" ", sentences);
  }

  /** Makes a page say at its top what it has to. */
  public void correct(SavedPage page) throws IOException {
    page.write(caution(page));
  }

  private static List<String> with(List<String> modules, String... more) {
    return Stream.concat(modules.stream(), Stream.of(more)).toList();
  }
}
