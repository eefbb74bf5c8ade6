package io.dynims.core.config;

import java.util.List;

/** Settings that cannot be used; the message names every one of them, a line each. */
public final class ConfigException extends Exception {

  private static final long serialVersionUID = 1L;

  ConfigException(List<String> errors) {
    super(String.join("\n", errors));
  }
}
