package io.dynims.experiments;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ArchitectureTest {

  /** Tests run in their module's folder; the other modules are built before this one. */
  private static final JavaClasses DEPLOYABLES =
      new ClassFileImporter()
          .importPaths(
              List.of(
                  Path.of("../flink-job/target/classes"),
                  Path.of("../controller/target/classes"),
                  Path.of("../alluxio-adapter/target/classes")));

  @ParameterizedTest
  @CsvSource({
    "io.dynims.flink, io.dynims.controller, io.dynims.adapter",
    "io.dynims.controller, io.dynims.flink, io.dynims.adapter",
    "io.dynims.adapter, io.dynims.flink, io.dynims.controller"
  })
  void deployablesNeverImportEachOther(String deployable, String other, String another) {
    assertThat(DEPLOYABLES).anyMatch(c -> c.getPackageName().startsWith(deployable));

    noClasses()
        .that()
        .resideInAPackage(deployable + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(other + "..", another + "..", "io.dynims.experiments..")
        .check(DEPLOYABLES);
  }

  @Test
  void experimentsShareThePolicyModelAndNothingElseWithTheController() {
    noClasses()
        .should()
        .dependOnClassesThat(
            resideInAPackage("io.dynims.controller..")
                .and(resideOutsideOfPackage("io.dynims.controller.policy..")))
        .check(new ClassFileImporter().importPath(Path.of("target/classes")));
  }
}
