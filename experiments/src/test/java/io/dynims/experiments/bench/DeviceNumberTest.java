package io.dynims.experiments.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DeviceNumberTest {

  @Test
  void aMountHasTheNumberThatMountinfoTells() throws IOException {
    String number =
        Files.readAllLines(Path.of("/proc/self/mountinfo")).stream()
            .map(line -> line.split(" "))
            .filter(fields -> fields[4].equals("/proc"))
            .map(fields -> fields[2])
            .reduce((first, last) -> last)
            .orElseThrow();

    assertThat(DeviceNumber.of(Path.of("/proc"))).isEqualTo(number);
  }

  @Test
  void minorNumbersAbove255AreInTwoParts() {
    assertThat(DeviceNumber.text(0x0801)).isEqualTo("8:1");
    assertThat(DeviceNumber.text(0x10_0034)).isEqualTo("0:" + 0x134);
  }
}
