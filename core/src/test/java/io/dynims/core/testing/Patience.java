package io.dynims.core.testing;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Gives every {@code await()} more than Awaitility's ten seconds, in which a busy machine may get
 * nothing done. JUnit finds it as a service.
 */
public final class Patience implements BeforeAllCallback {

  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(Duration.ofMinutes(3));
  }
}
