package io.dynims.controller;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(
    packages = "io.dynims.controller",
    importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule THE_FLEET_KNOWS_NO_KAFKA_NO_KUBERNETES_AND_NO_VERTX =
      noClasses()
          .that()
          .resideInAPackage("..controller.fleet..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.vertx..", "org.apache.kafka..", "io.fabric8..", "io.dynims.operator..");

  @ArchTest
  static final ArchRule ONLY_ONE_PACKAGE_KNOWS_KAFKA =
      noClasses()
          .that()
          .resideOutsideOfPackage("..controller.kafka..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.kafka..");

  @ArchTest
  static final ArchRule ONLY_THE_OPERATOR_KNOWS_KUBERNETES =
      noClasses().should().dependOnClassesThat().resideInAPackage("io.fabric8..");
}
