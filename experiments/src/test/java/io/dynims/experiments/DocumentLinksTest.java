package io.dynims.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Every link from one page of the project to another leads somewhere. */
class DocumentLinksTest {

  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern FENCED = Pattern.compile("(?ms)^```.*?^```");
  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern ADDRESS = Pattern.compile("^[a-z]+:.*");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ +(.*)$");

  @Test
  void leadToFilesAndHeadingsThatExist() throws IOException {
    List<Path> pages = pages();
    assertThat(pages).hasSizeGreaterThan(40);
    List<String> broken = new ArrayList<>();
    int links = 0;
    for (Path page : pages) {
      Matcher link = LINK.matcher(text(page));
      while (link.find()) {
        if (!ADDRESS.matcher(link.group(1)).matches()) {
          links++;
          if (!leadsSomewhere(page, link.group(1))) {
            broken.add(PROJECT.relativize(page) + ": " + link.group(1));
          }
        }
      }
    }
    assertThat(links).isGreaterThan(200);
    assertThat(broken).isEmpty();
  }

  private static boolean leadsSomewhere(Path page, String link) throws IOException {
    int hash = link.indexOf('#');
    String path = hash < 0 ? link : link.substring(0, hash);
    Path file = path.isEmpty() ? page : page.resolveSibling(path).normalize();
    if (!Files.exists(file)) {
      return false;
    }
    boolean toHeading = hash >= 0 && file.toString().endsWith(".md");
    return !toHeading || anchors(file).contains(link.substring(hash + 1));
  }

  /** The names that viewers of Markdown give to a page's headings. */
  private static Set<String> anchors(Path page) throws IOException {
    Set<String> anchors = new HashSet<>();
    Matcher heading = HEADING.matcher(text(page));
    while (heading.find()) {
      String title = heading.group(1).replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1");
      anchors.add(
          title.strip().toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").replace(' ', '-'));
    }
    return anchors;
  }

  private static String text(Path page) throws IOException {
    return FENCED.matcher(Files.readString(page)).replaceAll("");
  }

  private static List<Path> pages() throws IOException {
    List<Path> pages = new ArrayList<>();
    Files.walkFileTree(
        PROJECT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean skipped =
                name.equals("target") || name.equals("node_modules") || name.startsWith(".");
            return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.toString().endsWith(".md")) {
              pages.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    return pages;
  }
}
