package io.dynims.experiments;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Folders that are on a class path as {@code lib/*}. Java takes their jars in the order of the
 * folder, which differs from one file system to the next: no class may be in two of them and
 * differ.
 */
class ClassPathsIT {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "dist/alluxio/target/lib",
        "dist/kafka/target/lib",
        "flink-job/target/lib",
        "experiments/access/target/lib"
      })
  void noClassDiffersBetweenJars(String folder) throws IOException {
    List<Path> jars = jars(Path.of("..", folder));
    assertThat(jars).isNotEmpty();
    Map<String, Map<String, Long>> found = new TreeMap<>();
    for (Path jar : jars) {
      try (ZipFile file = new ZipFile(jar.toFile())) {
        for (ZipEntry entry : Collections.list(file.entries())) {
          if (isClass(entry.getName())) {
            found
                .computeIfAbsent(entry.getName(), name -> new LinkedHashMap<>())
                .put(jar.getFileName().toString(), entry.getCrc());
          }
        }
      }
    }
    Map<String, String> conflicts = new TreeMap<>();
    found.forEach(
        (name, places) -> {
          if (new TreeSet<>(places.values()).size() > 1) {
            conflicts.put(places.keySet().stream().sorted().collect(joining(" and ")), name);
          }
        });
    assertThat(conflicts)
        .as(
            "jars with different classes of one name, with one of them; a build before may have left them")
        .isEmpty();
  }

  private static boolean isClass(String name) {
    return name.endsWith(".class")
        && !name.startsWith("META-INF/")
        && !name.endsWith("module-info.class");
  }

  private static List<Path> jars(Path folder) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files.filter(file -> file.toString().endsWith(".jar")).toList();
    }
  }
}
