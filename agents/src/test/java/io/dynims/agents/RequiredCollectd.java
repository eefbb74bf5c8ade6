package io.dynims.agents;

import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.dynims.testing.CollectdAgent;
import java.util.Optional;

/** collectd itself, which the tests of this package run. */
final class RequiredCollectd {

  private RequiredCollectd() {}

  /** Skips the tests if collectd is not installed; in CI they fail. */
  static void check() throws Exception {
    Optional<String> missing = CollectdAgent.missing();
    if (missing.isPresent()) {
      if (System.getenv("CI") != null) {
        fail(missing.get());
      }
      abort(missing.get());
    }
  }
}
