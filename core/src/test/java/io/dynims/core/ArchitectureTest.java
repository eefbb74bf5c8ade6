package io.dynims.core;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.dynims.core", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule coreNeedsNothingButTheJdkAndAJsonLibrary =
      classes()
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java..", "com.fasterxml.jackson..", "io.dynims.core..");

  @ArchTest
  static final ArchRule theLawIsPure =
      classes()
          .that()
          .resideInAPackage("..law")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage("java.lang..", "java.util..", "io.dynims.core.law..");

  @ArchTest
  static final ArchRule theLawReadsNoClock =
      noClasses()
          .that()
          .resideInAPackage("..law")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime");

  @ArchTest
  static final ArchRule theLoopKnowsNoHost =
      classes()
          .that()
          .resideInAPackage("..loop")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java.lang..",
              "java.util..",
              "io.dynims.core.hint..",
              "io.dynims.core.law..",
              "io.dynims.core.loop..",
              "io.dynims.core.share..",
              "io.dynims.core.wire..");

  @ArchTest
  static final ArchRule theGateKnowsNoLoopAndNoHost =
      classes()
          .that()
          .resideInAPackage("..gate")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java.lang..",
              "io.dynims.core.gate..",
              "io.dynims.core.law..",
              "io.dynims.core.wire..");

  @ArchTest
  static final ArchRule sharesKnowNoLoop =
      classes()
          .that()
          .resideInAPackage("..share")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java.lang..",
              "java.util..",
              "io.dynims.core.law..",
              "io.dynims.core.share..",
              "io.dynims.core.wire..");

  @ArchTest
  static final ArchRule hintsKnowNoLoop =
      classes()
          .that()
          .resideInAPackage("..hint")
          .should()
          .onlyDependOnClassesThat()
          .resideInAnyPackage(
              "java.lang..", "java.util..", "io.dynims.core.hint..", "io.dynims.core.wire..");

  @ArchTest
  static final ArchRule theLoopHintsAndTheGateReadNoClock =
      noClasses()
          .that()
          .resideInAnyPackage("..loop", "..hint", "..gate")
          .should()
          .callMethod(System.class, "currentTimeMillis")
          .orShould()
          .callMethod(System.class, "nanoTime");
}
