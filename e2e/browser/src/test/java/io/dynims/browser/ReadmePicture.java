package io.dynims.browser;

import static org.assertj.core.api.Assertions.assertThat;

import io.dynims.testing.LocalLoop;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/**
 * Makes the picture of the README: a node after the burst of {@code ./dynims demo}. It runs by its
 * name only.
 */
class ReadmePicture {

  private static final Path PROJECT = Path.of("..", "..").toAbsolutePath().normalize();

  @Test
  void theNodeViewShowsTheBurstOfTheDemo() throws Exception {
    try (LocalLoop loop = new LocalLoop(PROJECT, Path.of("target", "picture"));
        Browser browser = new Browser()) {
      loop.up();
      loop.demo();
      browser.open(loop.address("controller.port").resolve("/#/node/node-1/alluxio"));

      Browser.await().until(() -> browser.text("#memory-text").contains("tier"));
      Browser.await().until(() -> browser.isPainted("memory"));
      assertThat(browser.consoleErrors()).isEmpty();
      browser.picture("#node-view figure", PROJECT.resolve("docs/page.png"));
    }
  }
}
