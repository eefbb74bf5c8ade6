package io.dynims.runtime.auth;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.dynims.runtime.config.Config;
import io.dynims.runtime.config.ReloadedFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The bearer tokens of a file, one per line, as RFC 6750 writes them; empty lines and lines that
 * start with # do not count. A server accepts each of them, a client sends the first one that is
 * accepted. So tokens change without a restart: write the new one above the old one everywhere,
 * then remove the old one. A change counts within a second. Thread-safe.
 */
public final class TokenFile implements AutoCloseable {

  private static final int MIN_LENGTH = 16;
  private static final int MAX_LENGTH = 512;
  private static final int MAX_TOKENS = 16;
  private static final Pattern TOKEN = Pattern.compile("[A-Za-z0-9._~+/-]+=*");
  private static final String SCHEME = "Bearer ";
  private static final String BASIC = "Basic ";

  private final ReloadedFiles<List<String>> file;

  private TokenFile(Path path) throws IOException {
    file = new ReloadedFiles<>(List.of(path), contents -> tokens(path, contents.get(0)));
  }

  /**
   * Opens a file.
   *
   * @throws IOException if it cannot be read or has no usable token; the message names the file,
   *     but never its content
   */
  public static TokenFile open(Path path) throws IOException {
    return new TokenFile(path);
  }

  /**
   * The file that a setting names; rejects one that cannot be used.
   *
   * @return empty if none is set
   */
  public static Optional<TokenFile> read(Config config, String key) {
    Optional<Path> path = config.path(key);
    try {
      return path.isEmpty() ? Optional.empty() : Optional.of(open(path.get()));
    } catch (IOException e) {
      config.reject(key, e.getMessage());
      return Optional.empty();
    }
  }

  /** The tokens now, at least one. */
  public List<String> tokens() {
    return file.get();
  }

  /** Looks for a change of the file now. */
  void refresh() {
    file.refresh();
  }

  /**
   * Whether an {@code Authorization} header carries one of the tokens. Takes the same time
   * whichever it is.
   *
   * @param authorization the header's value; null if there is none
   */
  public boolean accepts(String authorization) {
    if (authorization == null
        || !authorization.regionMatches(true, 0, SCHEME, 0, SCHEME.length())) {
      return false;
    }
    return isToken(authorization.substring(SCHEME.length()).strip().getBytes(UTF_8));
  }

  /**
   * Whether an {@code Authorization} header carries one of the tokens as the password of whatever
   * user (RFC 7617), which is how a browser can send it. Takes the same time whichever it is.
   *
   * @param authorization the header's value; null if there is none
   */
  public boolean acceptsPassword(String authorization) {
    if (authorization == null || !authorization.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
      return false;
    }
    try {
      byte[] credentials =
          Base64.getDecoder().decode(authorization.substring(BASIC.length()).strip());
      String text = new String(credentials, UTF_8);
      return isToken(text.substring(text.indexOf(':') + 1).getBytes(UTF_8));
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private boolean isToken(byte[] given) {
    boolean accepted = false;
    for (String token : tokens()) {
      accepted |= MessageDigest.isEqual(token.getBytes(US_ASCII), given);
    }
    return accepted;
  }

  /** The value of an {@code Authorization} header. */
  public static String authorization(String token) {
    return SCHEME + token;
  }

  private static List<String> tokens(Path path, byte[] content) throws IOException {
    List<String> lines =
        new String(content, UTF_8)
            .lines()
            .map(String::strip)
            .filter(line -> !line.isEmpty() && !line.startsWith("#"))
            .toList();
    if (lines.isEmpty() || lines.size() > MAX_TOKENS) {
      throw new IOException(
          "the token file %s has %d tokens, not 1 to %d".formatted(path, lines.size(), MAX_TOKENS));
    }
    for (String line : lines) {
      if (line.length() < MIN_LENGTH || line.length() > MAX_LENGTH) {
        throw new IOException(
            "the token file %s has a token of %d characters, not of %d to %d"
                .formatted(path, line.length(), MIN_LENGTH, MAX_LENGTH));
      }
      if (!TOKEN.matcher(line).matches()) {
        throw new IOException(
            "the token file %s has a token with characters other than letters, digits and ._~+/-="
                .formatted(path));
      }
    }
    return lines;
  }

  @Override
  public void close() {
    file.close();
  }
}
