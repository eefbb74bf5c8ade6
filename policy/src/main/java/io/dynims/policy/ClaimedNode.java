package io.dynims.policy;

import java.net.URI;
import java.util.Set;

/**
 * A node that a document claims.
 *
 * @param name the node's name
 * @param adapter the base address of its adapter; null while none is known
 */
public record ClaimedNode(String name, URI adapter) {

  private static final Set<String> SCHEMES = Set.of("http", "https");

  /**
   * Reads the base address of an adapter.
   *
   * @throws IllegalArgumentException when the text is none
   */
  public static URI address(String text) {
    try {
      URI uri = URI.create(text);
      boolean bare = uri.getPath() == null || uri.getPath().matches("/?");
      if (SCHEMES.contains(String.valueOf(uri.getScheme()))
          && uri.getHost() != null
          && bare
          && uri.getRawQuery() == null
          && uri.getRawUserInfo() == null) {
        return uri;
      }
    } catch (IllegalArgumentException e) {
      // Reported below, with an example.
    }
    throw new IllegalArgumentException(
        "'" + text + "' is not an address such as http://127.0.0.1:7070");
  }
}
