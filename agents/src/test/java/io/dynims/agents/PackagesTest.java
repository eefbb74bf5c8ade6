package io.dynims.agents;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.core.testing.Needs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packages for machines without Kubernetes, of programs that are only named here. */
class PackagesTest {

  private static final Path PROJECT = Path.of("..").toAbsolutePath().normalize();
  private static final Path DPKG = Path.of("/usr/bin/dpkg");
  private static final Pattern INSTALLED =
      Pattern.compile("/usr/(?:lib|share)/dynims/[\\w./-]*\\w");
  private static final List<String> PROGRAMS =
      List.of(
          "alluxio-adapter",
          "redis-adapter",
          "memcached-adapter",
          "mpiio-adapter",
          "controller",
          "flink-job",
          "cli");

  @TempDir Path scratch;

  @Test
  void haveEveryFileThatDocumentsUnitsAndPrologsName() throws Exception {
    Needs.feature(Needs.Feature.Dpkg, Files.isExecutable(DPKG), "it tells the architecture");
    Path root = stage("node", "control", "mpiio");

    Set<String> named = named();
    assertThat(named)
        .contains("/usr/lib/dynims/dynims-hint", "/usr/share/dynims/kafka/acl-commands");
    assertThat(named).allSatisfy(path -> assertThat(root.resolve(path.substring(1))).exists());
    assertThat(root.resolve("DEBIAN/control")).content().contains("libc6 (>= 2.34), dynims-node");
  }

  @Test
  void theCommandLineFindsWhatItReadsInItsFolder() throws Exception {
    Path share = stage("node").resolve("usr/share/dynims");

    assertThat(share.resolve("dist/kafka/acls.csv")).exists();
    assertThat(share.resolve("kubectl-dynims/kubectl-dynims")).isExecutable();
  }

  /** Lays packages out in one folder. */
  private Path stage(String... packages) throws IOException, InterruptedException {
    Path source = source();
    Path root = scratch.resolve("root");
    for (String name : packages) {
      Process process =
          new ProcessBuilder(
                  "bash",
                  PROJECT.resolve("dist/packages/stage").toString(),
                  name,
                  source.toString(),
                  root.toString(),
                  "1.2.3")
              .redirectErrorStream(true)
              .start();
      String output = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(output).isZero();
    }
    return root;
  }

  /** The project with empty files in place of what a build makes. */
  private Path source() throws IOException {
    Path source = Files.createDirectories(scratch.resolve("source"));
    for (String part :
        List.of("agents", "dist", "kubectl-dynims", "LICENSE", "NOTICE", "CHANGELOG.md")) {
      Files.createSymbolicLink(source.resolve(part), PROJECT.resolve(part));
    }
    for (String program : PROGRAMS) {
      Path target = Files.createDirectories(source.resolve(program + "/target"));
      Files.createFile(target.resolve("dynims-" + program + ".jar"));
      Files.createDirectory(target.resolve("lib"));
    }
    Path cache = source.resolve("mpiio-cache/target/install/usr");
    Path libraries = Files.createDirectories(cache.resolve("lib/dynims"));
    Files.writeString(libraries.resolve("dynims-mpiio-agent"), "GLIBC_2.9\0GLIBC_2.34\0");
    Path modulefiles =
        Files.createDirectories(cache.resolve("share/dynims/modulefiles/dynims-mpiio"));
    Path pages = Files.createDirectories(cache.resolve("share/man/man1"));
    Files.createFile(pages.resolve("dynims-mpiio.1"));
    for (String mpi : List.of("mpich", "openmpi")) {
      Files.createFile(libraries.resolve("libdynims-mpiio-" + mpi + ".so.0"));
      Files.createSymbolicLink(
          libraries.resolve("libdynims-mpiio-" + mpi + ".so"),
          Path.of("libdynims-mpiio-" + mpi + ".so.0"));
      Files.createFile(modulefiles.resolve(mpi));
    }
    return source;
  }

  /** The paths of installed files in what administrators read and machines run. */
  private static Set<String> named() throws IOException {
    Set<String> paths = new TreeSet<>();
    for (String page : List.of("docs/hpc.md", "docs/hints.md", "docs/install.md")) {
      addNamed(PROJECT.resolve(page), paths);
    }
    try (Stream<Path> units = Files.walk(Path.of("systemd"));
        Stream<Path> prologs = Files.walk(Path.of("hints"))) {
      for (Path file : Stream.concat(units, prologs).filter(Files::isRegularFile).toList()) {
        addNamed(file, paths);
      }
    }
    return paths;
  }

  private static void addNamed(Path file, Set<String> paths) throws IOException {
    INSTALLED.matcher(Files.readString(file)).results().forEach(found -> paths.add(found.group()));
  }
}
