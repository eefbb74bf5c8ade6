package io.dynims.cli.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.runtime.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackSettingsTest {

  @TempDir private Path folder;

  @Test
  void givesTheTierAQuarterOfASmallMachineAndTwoGibibytesOfALargeOne() throws Exception {
    StackHome home = Stacks.home(folder);

    assertThat(settings(home, new Machine(4L << 30, 0)).tierMaxBytes()).isEqualTo(1L << 30);
    assertThat(settings(home, new Machine(64L << 30, 0)).tierMaxBytes()).isEqualTo(2L << 30);
  }

  @Test
  void theCommandLineOverridesTheEnvironmentAndTheEnvironmentTheFile() throws Exception {
    StackHome home = Stacks.home(folder);
    Files.writeString(
        home.userSettings(), "kafka.port=1001\ncontroller.port=1002\nadapter.port=1003\n");

    StackSettings settings =
        StackSettings.forNewStack(
            home,
            List.of("kafka.port=3001"),
            Map.of("DYNIMS_KAFKA_PORT", "2001", "DYNIMS_CONTROLLER_PORT", "2002"),
            Stacks.EIGHT_GIBIBYTES);

    assertThat(settings.port("kafka.port")).isEqualTo(3001);
    assertThat(settings.port("controller.port")).isEqualTo(2002);
    assertThat(settings.port("adapter.port")).isEqualTo(1003);
  }

  @Test
  void isReadBackAsSaved() throws Exception {
    StackHome home = Stacks.home(folder);
    home.create();
    StackSettings settings = Stacks.settings(home, "kafka.port=1234", "tier.max=512Mi");
    settings.save(home);

    assertThat(StackSettings.inForce(home, Stacks.EIGHT_GIBIBYTES)).contains(settings);
  }

  @Test
  void namesEverySettingThatCannotBeUsed() {
    assertThatThrownBy(
            () ->
                Stacks.settings(
                    Stacks.home(folder),
                    "kafka.port=0",
                    "adapter.port=8080",
                    "policy.mode=Maybe",
                    "policy.gain=3",
                    "loop.realtime=perhaps",
                    "tier.max=1Mi",
                    "node.name=a b",
                    "no.such=1"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll(
            "kafka.port",
            "controller.port",
            "policy.mode",
            "policy.gain",
            "loop.realtime",
            "tier.max",
            "node.name",
            "no.such");
  }

  @Test
  void theGreatestGainIsTheLaws() throws Exception {
    StackHome home = Stacks.home(folder);

    assertThat(Stacks.settings(home, "policy.law=Feedback", "policy.gain=2").gain()).contains(2.0);
    assertThat(Stacks.settings(home).gain()).isEmpty();
    assertThatThrownBy(() -> Stacks.settings(home, "policy.gain=1.5"))
        .hasMessageContaining("policy.gain: '1.5' is not a number above 0, up to 1");
    assertThatThrownBy(() -> Stacks.settings(home, "policy.law=Fuzzy"))
        .hasMessageContaining("policy.law: 'Fuzzy' is neither Forecast nor Feedback");
  }

  @Test
  void aStoreHasItsOwnLeastCapacity() throws Exception {
    StackHome home = Stacks.home(folder);

    assertThat(Stacks.settings(home).store()).isEqualTo(StackStore.Alluxio);
    assertThat(Stacks.settings(home, "store=redis", "tier.max=16Mi").store())
        .isEqualTo(StackStore.Redis);
    assertThatThrownBy(() -> Stacks.settings(home, "store=redis", "tier.max=15Mi"))
        .hasMessageContaining("tier.max: 15728640 bytes are less than the store needs");
    assertThatThrownBy(() -> Stacks.settings(home, "store=disk"))
        .hasMessageContaining("store: 'disk' is not one of alluxio, redis, memcached, mpiio");
  }

  private static StackSettings settings(StackHome home, Machine machine) throws Exception {
    return StackSettings.forNewStack(home, List.of(), Map.of(), machine);
  }

  @Test
  void aNodeThatIsAControlGroupHasTheNodesPartsInIt() throws Exception {
    StackSettings settings =
        Stacks.settings(
            Stacks.home(folder),
            "node.cgroup=/sys/fs/cgroup/memory/paper",
            "alluxio.annotator=LRFU");

    List<String> command = settings.onNode(List.of("java", "-jar", "adapter.jar"));

    assertThat(command).startsWith("sh", "-c").endsWith("java", "-jar", "adapter.jar");
    assertThat(command).contains("/sys/fs/cgroup/memory/paper/parts");
    assertThat(Stacks.settings(Stacks.home(folder)).onNode(List.of("java")))
        .containsExactly("java");
  }

  @Test
  void refusesAControlGroupThatIsNoneAndAnUnknownAnnotator() {
    assertThatThrownBy(
            () ->
                Stacks.settings(
                    Stacks.home(folder), "node.cgroup=/tmp/group", "alluxio.annotator=FIFO"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("node.cgroup")
        .hasMessageContaining("'FIFO' is neither LRU nor LRFU");
  }
}
