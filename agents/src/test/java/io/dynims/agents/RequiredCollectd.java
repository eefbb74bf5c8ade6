package io.dynims.agents;

import static org.junit.jupiter.api.Assertions.fail;

import io.dynims.testing.CollectdAgent;
import java.util.Optional;

/** collectd itself, which the tests of this package run. */
final class RequiredCollectd {

  private RequiredCollectd() {}

  /** Fails the tests if collectd, or one of these plugins, cannot be used. */
  static void check(String... plugins) throws Exception {
    Optional<String> missing = CollectdAgent.missing(plugins);
    if (missing.isPresent()) {
      fail(missing.get() + "\nor with: ./dynims install");
    }
  }
}
