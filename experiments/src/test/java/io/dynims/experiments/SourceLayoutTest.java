package io.dynims.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Holds the main sources and the modules of the whole project to the house style. */
class SourceLayoutTest {

  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
  private static final String PACKAGE_INFO = "package-info.java";
  private static final int MAX_LINES = 300;

  /** The loop is to be read in one sitting, and so are the laws, the hints and the shares. */
  private static final Map<String, Long> MAX_PACKAGE_LINES =
      Map.of("loop", 1_401L, "hint", 250L, "share", 375L, "law", 1_148L);

  private static final List<Path> JAVA_FILES = new ArrayList<>();
  private static final List<Path> MODULES = new ArrayList<>();

  @BeforeAll
  static void findSources() throws IOException {
    Files.walkFileTree(
        PROJECT,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
            String name = folder.getFileName().toString();
            boolean skipped = name.equals("target") || name.startsWith(".");
            return skipped ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (file.getFileName().toString().equals("pom.xml")) {
              MODULES.add(file.getParent());
            } else if (file.toString().endsWith(".java")
                && file.toString().contains("/src/main/java/")) {
              JAVA_FILES.add(file);
            }
            return FileVisitResult.CONTINUE;
          }
        });
    assertThat(JAVA_FILES).isNotEmpty();
    assertThat(MODULES).contains(PROJECT.resolve("experiments"));
  }

  @Test
  void noMainClassIsLongerThan300Lines() {
    List<String> tooLong =
        JAVA_FILES.stream()
            .filter(file -> lines(file) > MAX_LINES)
            .map(file -> PROJECT.relativize(file) + " has " + lines(file) + " lines")
            .toList();
    assertThat(tooLong).as("main classes over %d lines; split them at a seam", MAX_LINES).isEmpty();
  }

  @Test
  void theLoopAndTheLawsAreEachReadInOneSitting() {
    Path core = PROJECT.resolve("core/src/main/java/io/dynims/core");
    MAX_PACKAGE_LINES.forEach(
        (name, most) -> {
          long lines =
              JAVA_FILES.stream()
                  .filter(file -> file.startsWith(core.resolve(name)))
                  .mapToLong(SourceLayoutTest::lines)
                  .sum();
          assertThat(lines).as("lines of core.%s", name).isBetween(1L, most);
        });
  }

  @Test
  void simpleNamesOfMainClassesAreUniqueAcrossModules() {
    Map<String, List<String>> files =
        JAVA_FILES.stream()
            .filter(file -> !file.getFileName().toString().equals(PACKAGE_INFO))
            .collect(
                Collectors.groupingBy(
                    file -> file.getFileName().toString().replace(".java", ""),
                    TreeMap::new,
                    Collectors.mapping(
                        file -> PROJECT.relativize(file).toString(), Collectors.toList())));
    files.values().removeIf(all -> all.size() == 1);
    assertThat(files)
        .as("class names used in several packages; give each class a name of its own")
        .isEmpty();
  }

  @Test
  void everyPackageWithMainClassesHasAPackageInfo() {
    List<String> without =
        JAVA_FILES.stream()
            .map(Path::getParent)
            .distinct()
            .filter(folder -> !Files.exists(folder.resolve(PACKAGE_INFO)))
            .map(folder -> PROJECT.relativize(folder).toString())
            .sorted()
            .toList();
    assertThat(without).as("packages without %s", PACKAGE_INFO).isEmpty();
  }

  @Test
  void everyModuleHasADescription() {
    List<String> without =
        MODULES.stream()
            .filter(module -> !read(module.resolve("pom.xml")).contains("<description>"))
            .map(module -> PROJECT.relativize(module).resolve("pom.xml").toString())
            .sorted()
            .toList();
    assertThat(without).as("POMs without a description of what the module contains").isEmpty();
  }

  private static long lines(Path file) {
    return read(file).lines().count();
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
