package io.dynims.runtime.config;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.Properties;

/** The version of DynIMS that this program was built as. */
public final class BuildVersion {

  /** The metric, with the label {@code version}, by which a program tells its version. */
  public static final String METRIC = "dynims.build.info";

  private static final String TEXT = read();

  private BuildVersion() {}

  /** Such as {@code 0.1.0}. */
  public static String text() {
    return TEXT;
  }

  private static String read() {
    Properties properties = new Properties();
    try {
      properties.load(new StringReader(Config.resource(BuildVersion.class, "version.properties")));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties.getProperty("version");
  }
}
