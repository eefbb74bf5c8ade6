package io.dynims.core.wire;

/**
 * Names one tier of one node; as text, {@code node/tier}, it is the key of Kafka records.
 *
 * @param node the node's name, as collectd's {@code host}; 1 to 253 characters without a slash
 * @param tier the tier's name, likewise
 */
public record TierKey(String node, String tier) {

  public TierKey {
    Require.name("node", node);
    Require.name("tier", tier);
  }

  /**
   * Reads {@code node/tier}.
   *
   * @throws IllegalArgumentException when the text is not such a key
   */
  public static TierKey parse(String text) {
    int slash = text.indexOf('/');
    if (slash < 0) {
      throw new IllegalArgumentException("key: '" + text + "' is not of the form node/tier");
    }
    return new TierKey(text.substring(0, slash), text.substring(slash + 1));
  }

  @Override
  public String toString() {
    return node + "/" + tier;
  }
}
