package io.dynims.core.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

class NeedsTest {

  @Test
  void aProgramThatIsThereIsReturned() {
    Path shell = Path.of("/bin/sh");

    assertThat(Needs.installed(shell, "dash")).isEqualTo(shell);
  }

  @Test
  void aMissingProgramFailsWithItsPackageAndTheCommandThatInstallsIt() {
    assertThatThrownBy(() -> Needs.installed(Path.of("/usr/bin/absent"), "of-absent"))
        .isInstanceOf(AssertionFailedError.class)
        .hasMessageContainingAll("/usr/bin/absent", "of-absent", "./dynims install");
  }

  @ParameterizedTest
  @CsvSource({"Root, root", "ControlGroups, control-groups", "ClusterPrograms, cluster-programs"})
  void whatTheMachineLacksForGoodSkips(Needs.Feature feature, String label) {
    assertThatThrownBy(() -> Needs.feature(feature, false, "to mount"))
        .isInstanceOf(TestAbortedException.class)
        .hasMessage("needs " + label + ": to mount");
    assertThatCode(() -> Needs.feature(feature, true, "to mount")).doesNotThrowAnyException();
  }
}
