package io.dynims.runtime.config;

import java.util.List;

/** Invalid settings; the message names each of them on a line. */
public final class ConfigException extends Exception {

  private static final long serialVersionUID = 1L;

  ConfigException(List<String> errors) {
    super(String.join("\n", errors));
  }
}
