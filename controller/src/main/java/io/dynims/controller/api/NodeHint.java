package io.dynims.controller.api;

import io.dynims.core.wire.Hint;

/**
 * A hint and its node.
 *
 * @param node the node's name
 * @param owner see {@link Hint}
 * @param bytes see {@link Hint}
 * @param startMillis see {@link Hint}
 * @param expiresMillis see {@link Hint}
 */
record NodeHint(String node, String owner, long bytes, long startMillis, long expiresMillis) {

  static NodeHint of(String node, Hint hint) {
    return new NodeHint(node, hint.owner(), hint.bytes(), hint.startMillis(), hint.expiresMillis());
  }
}
