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
  static final ArchRule THE_POLICY_MODEL_KNOWS_NO_FILES_NO_KAFKA_NO_KUBERNETES_AND_NO_VERTX =
      noClasses()
          .that()
          .resideInAPackage("..controller.policy..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.vertx..",
              "org.apache.kafka..",
              "io.fabric8..",
              "java.nio.file..",
              "io.dynims.controller.files..",
              "io.dynims.controller.kubernetes..",
              "io.dynims.controller.push..",
              "io.dynims.controller.fleet..");

  @ArchTest
  static final ArchRule THE_FLEET_KNOWS_NO_KAFKA_NO_KUBERNETES_AND_NO_VERTX =
      noClasses()
          .that()
          .resideInAPackage("..controller.fleet..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.vertx..",
              "org.apache.kafka..",
              "io.fabric8..",
              "io.dynims.controller.kubernetes..");

  @ArchTest
  static final ArchRule ONLY_ONE_PACKAGE_KNOWS_KAFKA =
      noClasses()
          .that()
          .resideOutsideOfPackage("..controller.kafka..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("org.apache.kafka..");

  @ArchTest
  static final ArchRule ONLY_ONE_PACKAGE_KNOWS_KUBERNETES =
      noClasses()
          .that()
          .resideOutsideOfPackage("..controller.kubernetes..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.fabric8..");

  @ArchTest
  static final ArchRule THE_OPERATOR_REACHES_THE_FLEET_BY_ITS_LINK_ALONE =
      noClasses()
          .that()
          .resideInAPackage("..controller.kubernetes..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.vertx..", "io.dynims.controller.push..", "io.dynims.controller.files..");
}
