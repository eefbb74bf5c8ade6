package io.dynims.policy;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

@AnalyzeClasses(packages = "io.dynims.policy", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {

  @ArchTest
  static final ArchRule THE_MODEL_READS_NO_FILES =
      noClasses()
          .that()
          .resideInAPackage("..policy")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("java.nio.file..", "io.dynims.policy.files..");
}
