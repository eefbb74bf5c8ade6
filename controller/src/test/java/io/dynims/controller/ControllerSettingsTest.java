package io.dynims.controller;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ConfigException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ControllerSettingsTest {

  @Test
  void aThousandthOfANodesMemoryIsNoChangeByDefault() throws Exception {
    assertThat(read().push().gate().tolerance()).isEqualTo(0.001);
    assertThat(read("--push.tolerance=0%").push().gate().tolerance()).isZero();
  }

  @Test
  void namesWhatIsWrongWithThePushes() {
    assertThatThrownBy(() -> read("--push.tolerance=2%", "--push.held=3s"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("push.tolerance: is more than 1%")
        .hasMessageContaining("push.held: is more than half of push.lease");
    assertThatThrownBy(() -> read("--push.tolerance=0.001"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("push.tolerance: '0.001' is not a percentage from 0% to 100%");
  }

  @Test
  void watchesOneSeveralOrAllNamespaces() throws Exception {
    assertThat(watched("--kubernetes.watch.namespace=a")).containsExactly("a");
    assertThat(watched("--kubernetes.watch.namespace=a, b,a")).containsExactly("a", "b");
    assertThat(watched("--kubernetes.watch.namespace=")).as("all").isEmpty();
    assertThatThrownBy(() -> watched("--kubernetes.watch.namespace=a,"))
        .hasMessageContaining("kubernetes.watch.namespace: 'a,' has an empty name");
  }

  @Test
  void aReplicaIsNamedAfterItsHostAndProcess() throws Exception {
    String kernel = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip();
    String host = System.getenv().getOrDefault("HOSTNAME", kernel);

    assertThat(read("--kubernetes.enabled=true").kubernetes().orElseThrow().identity())
        .isEqualTo(host + "-" + ProcessHandle.current().pid());
  }

  @Test
  void controllersThatShareAFleetNeedOneThatPublishesThePolicies() throws Exception {
    assertThat(read().share()).isFalse();
    assertThatThrownBy(() -> read("--controllers.share=true"))
        .hasMessageContaining("controllers.share: needs kafka.lease");
    assertThat(read("--controllers.share=true", "--kafka.lease=fleet").share()).isTrue();
    assertThat(read("--controllers.share=true", "--kubernetes.enabled=true").share()).isTrue();
  }

  @Test
  void aControllersNameIsOfThisRunAlone() throws Exception {
    assertThat(read().member()).matches("[A-Za-z0-9._-]+").isNotEqualTo(read().member());
  }

  private static List<String> watched(String argument) throws ConfigException {
    return read("--kubernetes.enabled=true", argument).kubernetes().orElseThrow().watchNamespaces();
  }

  private static ControllerSettings read(String... arguments) throws ConfigException {
    return ControllerSettings.read(
        Config.read(
            Config.resource(ControllerMain.class, "controller.properties"), arguments, Map.of()));
  }
}
