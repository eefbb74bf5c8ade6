package io.dynims.experiments;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Enforces what each module may depend on, and that packages form no cycles. */
class ArchitectureTest {

  /**
   * A module's package, and the project's packages that it may use; docs/architecture.md draws it.
   */
  private static final Map<String, List<String>> MAY_USE =
      Map.ofEntries(
          entry("core", List.of("core")),
          entry("runtime", List.of("runtime", "core")),
          entry("local", List.of("local", "runtime", "core")),
          entry("simulation", List.of("simulation", "core")),
          entry("policy", List.of("policy", "core")),
          entry("tier", List.of("tier", "runtime", "core")),
          entry("flink", List.of("flink", "runtime", "core")),
          entry("operator", List.of("operator", "policy", "core")),
          entry(
              "controller",
              List.of("controller", "operator", "policy", "simulation", "tier", "runtime", "core")),
          entry(
              "torture",
              List.of("torture", "adapter", "controller", "simulation", "tier", "runtime", "core")),
          entry("adapter", List.of("adapter", "tier", "runtime", "core")),
          entry("redis", List.of("redis", "adapter", "tier", "runtime", "core")),
          entry("memcached", List.of("memcached", "adapter", "tier", "runtime", "core")),
          entry("mpiio", List.of("mpiio", "adapter", "tier", "runtime", "core")),
          entry("cli", List.of("cli", "local", "policy", "simulation", "tier", "runtime", "core")),
          entry(
              "experiments",
              List.of(
                  "experiments",
                  "cli",
                  "local",
                  "policy",
                  "simulation",
                  "tier",
                  "runtime",
                  "core")));

  private static final List<String> MODULES =
      List.of(
          "core",
          "runtime",
          "local-stack",
          "simulation",
          "policy",
          "tier-api",
          "flink-job",
          "operator",
          "controller",
          "torture",
          "adapter-runtime",
          "alluxio-adapter",
          "redis-adapter",
          "memcached-adapter",
          "mpiio-adapter",
          "cli",
          "experiments");

  /** Tests run in their module's folder; the other modules are built before this one. */
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .importPaths(MODULES.stream().map(m -> Path.of("..", m, "target/classes")).toList());

  static List<String> packages() {
    return MAY_USE.keySet().stream().sorted().toList();
  }

  @ParameterizedTest
  @MethodSource("packages")
  void aModuleUsesOnlyTheModulesBelowIt(String module) {
    assertThat(CLASSES).anyMatch(c -> c.getPackageName().startsWith("io.dynims." + module));
    var others = new TreeSet<>(MAY_USE.keySet());
    others.removeAll(MAY_USE.get(module));

    if (!others.isEmpty()) {
      noClasses()
          .that()
          .resideInAPackage("io.dynims." + module + "..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              others.stream().map(o -> "io.dynims." + o + "..").toArray(String[]::new))
          .check(CLASSES);
    }
  }

  @Test
  void noPackagesFormACycle() {
    slices().matching("io.dynims.(**)").should().beFreeOfCycles().check(CLASSES);
  }
}
