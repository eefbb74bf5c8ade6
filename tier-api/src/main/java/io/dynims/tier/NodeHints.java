package io.dynims.tier;

import io.dynims.core.wire.Hint;
import java.util.List;

/**
 * The body of every successful answer of {@code /v1/tier/hints}.
 *
 * @param hints what jobs of the node are about to take, now or later
 */
public record NodeHints(List<Hint> hints) {}
