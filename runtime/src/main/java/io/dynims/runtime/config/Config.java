package io.dynims.runtime.config;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.core.quantity.Quantities;
import java.io.IOException;
import java.io.InputStream;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A program's settings. The bundled properties file is the one place that documents them: each line
 * holds a key, the environment variable that overrides it, and the default, as {@code key =
 * ${VARIABLE:default}}. In order of precedence, a value comes from {@code --key=value}, the
 * environment, a file given as {@code --config FILE}, or the default. A key that the bundled file
 * does not have is an error.
 *
 * <p>Getters do not throw; {@link #check} reports all errors at once.
 */
public final class Config {

  /** Where systemd puts a unit's credentials; may begin a path. */
  private static final String CREDENTIALS = "CREDENTIALS_DIRECTORY";

  private static final Pattern PLACEHOLDER = Pattern.compile("\\$\\{([A-Z0-9_]+):(.*)}");

  private final Properties values = new Properties();
  private final List<String> errors = new ArrayList<>();
  private final String credentials;

  private Config(String credentials) {
    this.credentials = credentials;
  }

  /**
   * Reads the settings; errors are kept for {@link #check}.
   *
   * @param documented the text of the bundled file
   * @param args the command line
   * @param environment the environment variables
   */
  public static Config read(String documented, String[] args, Map<String, String> environment) {
    Config config = new Config(environment.get(CREDENTIALS));
    Properties defaults = parse(new StringReader(documented));
    Properties arguments = config.arguments(args);
    Properties file = config.file((String) arguments.remove("config"));
    config.refuseUnknown(arguments, defaults);
    config.refuseUnknown(file, defaults);
    for (String key : defaults.stringPropertyNames()) {
      Matcher placeholder = PLACEHOLDER.matcher(defaults.getProperty(key));
      if (!placeholder.matches()) {
        throw new IllegalStateException(key + ": not of the form ${VARIABLE:default}");
      }
      String fromFile = file.getProperty(key, placeholder.group(2));
      String fromEnvironment = environment.getOrDefault(placeholder.group(1), fromFile);
      config.values.setProperty(key, arguments.getProperty(key, fromEnvironment).strip());
    }
    return config;
  }

  /** The text of a resource beside a class, such as a program's bundled settings. */
  public static String resource(Class<?> owner, String name) {
    try (InputStream in = owner.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException(name + " is missing beside " + owner.getName());
      }
      return new String(in.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The value as it is; may be empty. */
  public String text(String key) {
    String value = values.getProperty(key);
    if (value == null) {
      throw new IllegalArgumentException(key + " is not in the bundled settings");
    }
    return value;
  }

  /** The value, which must not be empty. */
  public String required(String key) {
    if (text(key).isEmpty()) {
      errors.add(key + ": is required and not set");
    }
    return text(key);
  }

  /** A byte count such as {@code 32Mi}. */
  public long bytes(String key) {
    return convert(key, Quantities::bytes).orElse(0L);
  }

  /** A byte count, or nothing where the value is empty. */
  public Optional<Long> optionalBytes(String key) {
    return text(key).isEmpty() ? Optional.empty() : convert(key, Quantities::bytes);
  }

  /** A duration such as {@code 100ms}, in milliseconds. */
  public long millis(String key) {
    return convert(key, Quantities::millis).orElse(0L);
  }

  /** A percentage such as {@code 0.1%}, as a ratio in [0, 1]. */
  public double ratio(String key) {
    return convert(key, Quantities::ratio).orElse(0.0);
  }

  /** A whole number within bounds, both inclusive. */
  public int number(String key, int min, int max) {
    return convert(key, text -> numberOf(text, min, max)).orElse(min);
  }

  /** {@code true} or {@code false}. */
  public boolean flag(String key) {
    return convert(key, Config::flagOf).orElse(false);
  }

  /**
   * An existing or future path; nothing where the value is empty. It may begin with {@code
   * $CREDENTIALS_DIRECTORY/}: systemd before version 250 cannot put that into a unit's environment.
   */
  public Optional<Path> path(String key) {
    return text(key).isEmpty() ? Optional.empty() : convert(key, this::pathOf);
  }

  /** The properties of the file that the value names; none where the value is empty. */
  public Map<String, String> properties(String key) {
    Properties properties = new Properties();
    path(key)
        .ifPresent(
            file -> {
              try (Reader reader = Files.newBufferedReader(file, UTF_8)) {
                properties.load(reader);
              } catch (IOException | IllegalArgumentException e) {
                reject(key, "cannot read " + file + ": " + e);
              }
            });
    return properties.stringPropertyNames().stream()
        .collect(Collectors.toUnmodifiableMap(name -> name, properties::getProperty));
  }

  /** An http or https address such as {@code http://127.0.0.1:7070}. */
  public Optional<URI> uri(String key) {
    return convert(key, Config::uriOf);
  }

  /** An address to listen on, such as {@code 127.0.0.1:7070}; port 0 takes any free one. */
  public InetSocketAddress address(String key) {
    return convert(key, Config::addressOf).orElseGet(() -> new InetSocketAddress(0));
  }

  /** One or more addresses such as {@code host-1:19998,host-2:19998}. */
  public List<InetSocketAddress> addresses(String key) {
    return convert(
            key,
            text ->
                Stream.of(text.split(",", -1)).map(String::strip).map(Config::addressOf).toList())
        .orElse(List.of());
  }

  /** Rejects a value for a reason that only the program knows. */
  public void reject(String key, String why) {
    errors.add(key + ": " + why);
  }

  /**
   * Call after the last getter.
   *
   * @throws ConfigException naming every setting that cannot be used
   */
  public void check() throws ConfigException {
    if (!errors.isEmpty()) {
      throw new ConfigException(errors);
    }
  }

  private <T> Optional<T> convert(String key, Function<String, T> reader) {
    try {
      return Optional.of(reader.apply(text(key)));
    } catch (IllegalArgumentException e) {
      errors.add(key + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private Properties arguments(String[] args) {
    Properties given = new Properties();
    for (int i = 0; i < args.length; i++) {
      int equals = args[i].indexOf('=');
      if (!args[i].startsWith("--")) {
        errors.add(args[i] + ": is not an option; options look like --key=value");
      } else if (equals > 0) {
        given.setProperty(args[i].substring(2, equals), args[i].substring(equals + 1));
      } else if (i + 1 < args.length) {
        given.setProperty(args[i].substring(2), args[++i]);
      } else {
        errors.add(args[i] + ": has no value");
      }
    }
    return given;
  }

  private Properties file(String path) {
    if (path == null) {
      return new Properties();
    }
    try (Reader reader = Files.newBufferedReader(Path.of(path), UTF_8)) {
      return parse(reader);
    } catch (IOException | UncheckedIOException | IllegalArgumentException e) {
      errors.add("config: cannot read " + path + ": " + e.getMessage());
      return new Properties();
    }
  }

  private void refuseUnknown(Properties given, Properties known) {
    for (String key : given.stringPropertyNames()) {
      if (!known.containsKey(key)) {
        errors.add(key + ": is not a setting; --help lists them");
      }
    }
  }

  private static Properties parse(Reader text) {
    Properties properties = new Properties();
    try {
      properties.load(text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return properties;
  }

  private Path pathOf(String text) {
    String prefix = "$" + CREDENTIALS + "/";
    if (!text.startsWith(prefix)) {
      return Path.of(text);
    }
    if (credentials == null) {
      throw new IllegalArgumentException(
          "'" + text + "' needs a unit with LoadCredential, and systemd 247 or later");
    }
    return Path.of(credentials, text.substring(prefix.length()));
  }

  private static int numberOf(String text, int min, int max) {
    try {
      int number = Integer.parseInt(text);
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below, with the range.
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not a whole number from " + min + " to " + max);
  }

  private static boolean flagOf(String text) {
    return switch (text) {
      case "true" -> true;
      case "false" -> false;
      default -> throw new IllegalArgumentException("'" + text + "' is neither true nor false");
    };
  }

  private static URI uriOf(String text) {
    URI uri = URI.create(text);
    if (uri.getHost() == null || uri.getScheme() == null || !uri.getScheme().matches("https?")) {
      throw new IllegalArgumentException(
          "'" + text + "' is not an address such as http://127.0.0.1:7070");
    }
    return uri;
  }

  private static InetSocketAddress addressOf(String text) {
    int colon = text.lastIndexOf(':');
    if (colon <= 0) {
      throw new IllegalArgumentException("'" + text + "' is not of the form host:port");
    }
    return new InetSocketAddress(
        text.substring(0, colon), numberOf(text.substring(colon + 1), 0, 65_535));
  }
}
