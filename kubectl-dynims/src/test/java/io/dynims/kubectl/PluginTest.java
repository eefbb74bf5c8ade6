package io.dynims.kubectl;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Gives each test the plugin, and a controller for it to ask. */
abstract class PluginTest {

  @TempDir Path folder;
  @AutoClose ControllerStub controller;
  Plugin plugin;

  @BeforeEach
  void serve() throws IOException {
    controller = new ControllerStub();
    plugin = new Plugin(folder);
    plugin.environment.put("DYNIMS_SERVER", controller.url());
  }

  /** Asserts that a command prints what is kept of it, where the controller has a kept list. */
  void assertPrints(String command, String list, String golden) throws Exception {
    controller.answers.put("/api/v1/" + list, resource(list + ".json"));
    Plugin.Ended ended = plugin.run(command.split(" "));

    assertThat(ended.err()).isEmpty();
    assertThat(ended.out()).isEqualTo(resource(golden + ".txt"));
    assertThat(ended.exitCode()).isZero();
  }

  /** A document that a controller answered, or the expected output. */
  static String resource(String name) throws IOException {
    try (InputStream in = PluginTest.class.getResourceAsStream(name)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
